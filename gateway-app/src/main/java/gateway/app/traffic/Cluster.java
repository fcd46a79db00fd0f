package gateway.app.traffic;

import co.elastic.clients.transport.rest5_client.low_level.Request;
import co.elastic.clients.transport.rest5_client.low_level.Response;
import co.elastic.clients.transport.rest5_client.low_level.ResponseException;
import co.elastic.clients.transport.rest5_client.low_level.ResponseListener;
import co.elastic.clients.transport.rest5_client.low_level.Rest5Client;
import gateway.app.log.SilencedLoggers;
import gateway.app.traffic.TrafficTarget.Credentials;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.Consumer;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicHeader;
import org.apache.hc.core5.reactor.IOReactorConfig;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/// The nodes of an Elasticsearch cluster, by the client's low-level half: it picks a node, passes over dead ones and
/// leaves the bytes alone. One thread of its own; answers arrive on it.
final class Cluster implements Closeable {
    private static final ContentType NDJSON = ContentType.create("application/x-ndjson");

    private final Rest5Client client;

    private Cluster(Rest5Client client) {
        this.client = client;
    }

    static Cluster of(TrafficTarget.Elasticsearch target) {
        Timeout timeout = Timeout.of(target.timeout());
        var builder = Rest5Client.builder(target.nodes().toArray(URI[]::new))
                .setDefaultHeaders(authorization(target.credentials()))
                .setRequestConfigCallback(
                        request -> request.setResponseTimeout(timeout).setConnectionRequestTimeout(timeout))
                .setConnectionConfigCallback(
                        connection -> connection.setConnectTimeout(timeout).setSocketTimeout(timeout))
                .setHttpClientConfigCallback(http -> http.setIOReactorConfig(IOReactorConfig.custom()
                                .setIoThreadCount(1)
                                .setSoTimeout(timeout)
                                .build())
                        .disableCookieManagement()
                        .disableAutomaticRetries());
        var tls = NodeIdentity.checkedBy(target.authorities());
        builder.setConnectionManagerCallback(connections -> connections.setTlsStrategy(tls));
        SilencedLoggers.silence();
        return new Cluster(builder.build());
    }

    /// Sends gzipped NDJSON.
    void bulk(String path, byte[] gzipped, Consumer<Reply> answer) {
        var request = new Request("POST", path);
        request.setEntity(new ByteArrayEntity(gzipped, NDJSON, "gzip"));
        send(request, answer);
    }

    void put(String path, String json, Consumer<Reply> answer) {
        var request = new Request("PUT", path);
        request.setJsonEntity(json);
        send(request, answer);
    }

    void get(String path, Consumer<Reply> answer) {
        send(new Request("GET", path), answer);
    }

    /// Ends the client; requests under way fail.
    @Override
    public void close() {
        try {
            client.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void send(Request request, Consumer<Reply> answer) {
        client.performRequestAsync(request, new ResponseListener() {
            @Override
            public void onSuccess(Response response) {
                answer.accept(answered(response));
            }

            @Override
            public void onFailure(Exception failure) {
                answer.accept(failed(failure));
            }
        });
    }

    private static Reply failed(Exception failure) {
        if (failure instanceof ResponseException refused) return answered(refused.getResponse());
        String message = failure.getMessage();
        return new Reply.Unreachable(failure.getClass().getSimpleName() + (message == null ? "" : ": " + message));
    }

    private static Reply answered(Response response) {
        try {
            return new Reply.Answered(response.getStatusCode(), content(response.getEntity()));
        } catch (IOException e) {
            return new Reply.Unreachable("the answer broke off: " + e.getMessage());
        }
    }

    private static byte[] content(@Nullable HttpEntity entity) throws IOException {
        if (entity == null) return new byte[0];
        try (var content = entity.getContent()) {
            return content.readAllBytes();
        }
    }

    private static Header[] authorization(Credentials credentials) {
        return switch (credentials) {
            case Credentials.None none -> new Header[0];
            case Credentials.ApiKey key -> authorization("ApiKey " + key.key().reveal());
            case Credentials.Basic basic -> {
                String login = basic.user() + ":" + basic.password().reveal();
                yield authorization(
                        "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8)));
            }
        };
    }

    private static Header[] authorization(String value) {
        return new Header[] {new BasicHeader("Authorization", value, true)};
    }
}
