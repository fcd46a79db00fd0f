package gateway.app.traffic;

import co.elastic.clients.transport.rest5_client.low_level.HttpAsyncResponseConsumerFactory.BasicAsyncResponseConsumerFactory;
import co.elastic.clients.transport.rest5_client.low_level.Request;
import co.elastic.clients.transport.rest5_client.low_level.RequestOptions;
import co.elastic.clients.transport.rest5_client.low_level.ResponseListener;
import co.elastic.clients.transport.rest5_client.low_level.Rest5Client;
import gateway.app.log.SilencedLoggers;
import gateway.app.traffic.TrafficTarget.Credentials;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import org.apache.hc.client5.http.impl.async.HttpAsyncClientBuilder;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.message.BasicHeader;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.io.ModalCloseable;
import org.apache.hc.core5.reactor.IOReactorConfig;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/// Elasticsearch's client and the thread that carries it. An error on that thread ends it, and the client with it.
///
/// What a server says is bounded, since all of it is held in memory: bodies, and lines and number of headers. Bodies
/// come as they are: a small one that unpacks to a large one is refused.
final class ClusterClient implements Closeable {
    /// Of an answer. `_bulk` says some 25 bytes of a record that it took, some 300 of one that it refused.
    static final int MOST_BYTES = 4 << 20;

    private static final int LONGEST_LINE = 64 << 10;
    private static final int MOST_HEADERS = 256;

    private final Rest5Client client;
    private final ClientThreads threads;
    private final RequestOptions options = bounded();

    private ClusterClient(Rest5Client client, ClientThreads threads) {
        this.client = client;
        this.threads = threads;
    }

    /// @param first how many nodes it passes over at its beginning: the one before may have ended for the first
    static ClusterClient of(TrafficTarget.Elasticsearch target, int first) {
        SilencedLoggers.silence();
        var threads = new ClientThreads();
        Timeout timeout = Timeout.of(target.timeout());
        var tls = NodeIdentity.checkedBy(target.authorities());
        var builder = Rest5Client.builder(from(first, target.nodes()))
                .setDefaultHeaders(authorization(target.credentials()))
                .setRequestConfigCallback(
                        request -> request.setResponseTimeout(timeout).setConnectionRequestTimeout(timeout))
                .setConnectionConfigCallback(
                        connection -> connection.setConnectTimeout(timeout).setSocketTimeout(timeout))
                .setHttpClientConfigCallback(http -> configure(http, timeout, threads))
                .setConnectionManagerCallback(connections -> connections.setTlsStrategy(tls));
        return new ClusterClient(builder.build(), threads);
    }

    void send(Request request, ResponseListener listener) {
        request.setOptions(options);
        var _ = client.performRequestAsync(request, listener);
    }

    /// Whether nothing will ever be answered again.
    boolean hasEnded() {
        return threads.haveEnded();
    }

    /// Requests under way fail. At once: the client's own way waits for servers, for five seconds when one is mute.
    @Override
    public void close() throws IOException {
        threads.close();
        if (client.getHttpClient() instanceof ModalCloseable http) http.close(CloseMode.IMMEDIATE);
        else client.close();
    }

    private static URI[] from(int first, List<URI> nodes) {
        var turned = new ArrayList<>(nodes);
        Collections.rotate(turned, -first);
        return turned.toArray(URI[]::new);
    }

    private static void configure(HttpAsyncClientBuilder http, Timeout timeout, ClientThreads threads) {
        http.setIOReactorConfig(IOReactorConfig.custom()
                        .setIoThreadCount(1)
                        .setSoTimeout(timeout)
                        .build())
                .setHttp1Config(Http1Config.custom()
                        .setMaxLineLength(LONGEST_LINE)
                        .setMaxHeaderCount(MOST_HEADERS)
                        .build())
                .setThreadFactory(threads)
                .setIoReactorExceptionCallback(threads::failed)
                .disableRedirectHandling()
                .disableContentCompression()
                .addResponseInterceptorFirst((response, entity, context) -> refusePacked(entity))
                .disableCookieManagement()
                .disableAutomaticRetries();
    }

    private static void refusePacked(@Nullable EntityDetails entity) throws ProtocolException {
        String encoding = entity == null ? null : entity.getContentEncoding();
        if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
            throw new ProtocolException("an answer packed as " + encoding + ", which nobody asked for");
        }
    }

    private static RequestOptions bounded() {
        return RequestOptions.DEFAULT.toBuilder()
                .setHttpAsyncResponseConsumerFactory(new BasicAsyncResponseConsumerFactory(MOST_BYTES))
                .build();
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
