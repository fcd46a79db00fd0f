package gateway.app.traffic;

import co.elastic.clients.transport.rest5_client.low_level.Request;
import co.elastic.clients.transport.rest5_client.low_level.Response;
import co.elastic.clients.transport.rest5_client.low_level.ResponseException;
import co.elastic.clients.transport.rest5_client.low_level.ResponseListener;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The nodes of an Elasticsearch cluster, by the client's low-level half: it picks a node, passes over dead ones and
/// leaves the bytes alone. One thread of its own; answers arrive on it, each request's exactly once.
///
/// The client's own timeouts are of single reads, it can lose a cancel, and it does not outlive an error on its thread:
/// [#tend] sees to all of it.
final class Cluster implements Closeable {
    private static final Logger log = LoggerFactory.getLogger(Cluster.class);
    private static final ContentType NDJSON = ContentType.create("application/x-ndjson");

    /// The client looks for timeouts once a second; they come first, since it then passes over the node.
    private static final Duration SLACK = Duration.ofSeconds(2);

    private final Supplier<ClusterClient> clients;
    private final LongSupplier nanos;
    private final Duration longest;
    private final Set<OpenCall> open = ConcurrentHashMap.newKeySet();
    private final List<ClusterClient> retired = new ArrayList<>(); // used by the one that tends
    private volatile ClusterClient client;

    private Cluster(Supplier<ClusterClient> clients, LongSupplier nanos, Duration longest) {
        this.clients = clients;
        this.nanos = nanos;
        this.longest = longest;
        this.client = clients.get();
    }

    static Cluster of(TrafficTarget.Elasticsearch target) {
        return of(target, System::nanoTime);
    }

    /// @param nanos the clock of deadlines
    static Cluster of(TrafficTarget.Elasticsearch target, LongSupplier nanos) {
        int nodes = Math.max(1, target.nodes().size());
        var made = new AtomicInteger();
        return new Cluster(
                () -> ClusterClient.of(target, made.getAndIncrement()),
                nanos,
                target.timeout().plus(SLACK).multipliedBy(nodes));
    }

    /// Sends gzipped NDJSON.
    void bulk(String path, byte[] gzipped, Consumer<ClusterReply> answer) {
        var request = new Request("POST", path);
        request.setEntity(new ByteArrayEntity(gzipped, NDJSON, "gzip"));
        send(request, answer);
    }

    /// Sends JSON, or nothing when `json` is empty.
    void call(String method, String path, Map<String, String> parameters, byte[] json, Consumer<ClusterReply> answer) {
        var request = new Request(method, path);
        parameters.forEach(request::addParameter);
        if (json.length > 0) request.setEntity(new ByteArrayEntity(json, ContentType.APPLICATION_JSON));
        send(request, answer);
    }

    /// Gives up what takes too long, and replaces a client whose thread has ended. Called often, by one thread.
    void tend() {
        if (client.hasEnded()) replace();
        long now = nanos.getAsLong();
        for (OpenCall call : open) {
            if (!call.isOver(now)) continue;
            if (call.isOf(client)) retire(); // before: should no other be to be had, the call is late at the next look
            giveUp(call, "no answer within " + longest.toMillis() + " ms");
        }
        closeRetired();
    }

    /// Has what is sent from now on go by another client: with this one the connection is closed that still waits for
    /// the answer. Cancelling the request alone does not always do it: where the connection was made for it, the
    /// cancel of that may have taken the place of the request's own.
    private void retire() {
        ClusterClient next = clients.get();
        retired.add(client);
        client = next;
    }

    private void closeRetired() {
        for (ClusterClient each : List.copyOf(retired)) {
            if (open.stream().anyMatch(call -> call.isOf(each))) continue;
            retired.remove(each);
            close(each);
        }
    }

    /// Ends the client, at once; requests under way fail.
    @Override
    public void close() {
        for (OpenCall call : open) giveUp(call, "the client is closed");
        close(client);
        retired.forEach(Cluster::close);
    }

    private void replace() {
        ClusterClient ended = client;
        for (OpenCall call : open) if (call.isOf(ended)) giveUp(call, "the client's thread has ended");
        client = clients.get();
        log.info("the Elasticsearch client has been replaced");
        close(ended);
    }

    /// Its thread may be at the same sockets, which ends with whatever exception; nobody needs them any more.
    private static void close(ClusterClient client) {
        try {
            client.close();
        } catch (IOException | RuntimeException e) {
            log.debug("could not close the Elasticsearch client", e);
        }
    }

    private void send(Request request, Consumer<ClusterReply> answer) {
        ClusterClient by = client;
        var call = new OpenCall(by, answer, nanos.getAsLong() + longest.toNanos());
        open.add(call);
        try {
            by.send(request, new ResponseListener() {
                @Override
                public void onSuccess(Response response) {
                    settle(call, answered(response));
                }

                @Override
                public void onFailure(Exception failure) {
                    settle(call, failed(failure));
                }
            });
        } catch (RuntimeException | Error e) {
            if (open.remove(call)) throw e;
        }
    }

    private void giveUp(OpenCall call, String reason) {
        settle(call, new ClusterReply.Unreachable(reason));
    }

    /// Whoever takes the call out answers it. One that cannot be answered, for want of memory, is given up later.
    private void settle(OpenCall call, ClusterReply reply) {
        if (!open.remove(call)) return;
        try {
            call.answer().accept(reply);
        } catch (RuntimeException | Error e) {
            open.add(call);
            throw e;
        }
    }

    private static ClusterReply failed(Exception failure) {
        if (failure instanceof ResponseException refused) return answered(refused.getResponse());
        String message = failure.getMessage();
        return new ClusterReply.Unreachable(
                failure.getClass().getSimpleName() + (message == null ? "" : ": " + message));
    }

    private static ClusterReply answered(Response response) {
        try {
            return new ClusterReply.Answered(response.getStatusCode(), content(response.getEntity()));
        } catch (IOException e) {
            return new ClusterReply.Unreachable("the answer broke off: " + e.getMessage());
        }
    }

    private static byte[] content(@Nullable HttpEntity entity) throws IOException {
        if (entity == null) return new byte[0];
        try (var content = entity.getContent()) {
            return content.readAllBytes();
        }
    }
}
