package gateway.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Describes an exchange without a socket by chained calls, and makes it.
///
/// ```java
/// var exchange = Exchanges.get("/orders/7?x=1").with("Authorization", "Bearer s").from("203.0.113.9").make();
/// ```
public final class Exchanges {
    private final String method;
    private final String rawPath;
    private final String query;
    private final Headers headers = Headers.create();
    private final Map<String, String> pathParameters = new LinkedHashMap<>();
    private String requestId = "request-1";
    private String api = "orders";
    private String version = "";
    private String pathInApi;
    private PathPattern stripped = PathPattern.of("/");
    private String scheme = "http";
    private String host = "api.example.com";
    private InetAddress clientAddress = address("192.0.2.1");
    private Body body = Body.EMPTY;
    private Optional<Consumer> consumer = Optional.empty();
    private Optional<ClientCertificate> clientCertificate = Optional.empty();
    private boolean opensWebSocket;
    private @Nullable Span span;

    private Exchanges(String method, String target) {
        int mark = target.indexOf('?');
        this.method = method;
        this.rawPath = mark < 0 ? target : target.substring(0, mark);
        this.query = mark < 0 ? "" : target.substring(mark + 1);
        this.pathInApi = rawPath;
    }

    public static Exchanges get(String target) {
        return of("GET", target);
    }

    /// @param target path and query; the path is taken as canonical
    public static Exchanges of(String method, String target) {
        return new Exchanges(method, target);
    }

    /// Another one each time.
    public Exchange make() {
        var exchange = new Exchange(
                requestId,
                new RequestHead(method, scheme, host, rawPath, rawPath, query),
                new KnownClient(clientAddress, clientCertificate, opensWebSocket),
                new KnownRoute(api, version, pathInApi, stripped, Map.copyOf(pathParameters)),
                Headers.copyOf(headers),
                body,
                Long.MAX_VALUE,
                span);
        consumer.ifPresent(exchange::authenticated);
        return exchange;
    }

    /// Adds a header line.
    public Exchanges with(String header, String value) {
        headers.add(header, value);
        return this;
    }

    public Exchanges from(String address) {
        clientAddress = address(address);
        return this;
    }

    public Exchanges inApi(String id) {
        api = id;
        return this;
    }

    public Exchanges inVersion(String name) {
        version = name;
        return this;
    }

    public Exchanges pathInApi(String path) {
        pathInApi = path;
        return this;
    }

    /// Of an API below `prefix`, which the upstream does not get.
    public Exchanges stripping(String prefix) {
        stripped = PathPattern.of(prefix);
        return this;
    }

    public Exchanges requestId(String id) {
        requestId = id;
        return this;
    }

    public Exchanges scheme(String other) {
        scheme = other;
        return this;
    }

    public Exchanges host(String other) {
        host = other;
        return this;
    }

    public Exchanges pathParameter(String name, String value) {
        pathParameters.put(name, value);
        return this;
    }

    /// A held body of known length.
    public Exchanges body(String text) {
        body = Body.of(text.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    /// The same of octets.
    public Exchanges body(byte[] octets) {
        body = Body.of(octets.clone());
        return this;
    }

    /// A body whose length nobody declared, as chunked content.
    public Exchanges chunked(String text) {
        var held = Body.of(text.getBytes(StandardCharsets.UTF_8));
        body = new Body() {
            @Override
            public OptionalLong length() {
                return OptionalLong.empty();
            }

            @Override
            public byte[] bytes(long max) {
                return held.bytes(max);
            }
        };
        return this;
    }

    /// Comes over TLS with this certificate.
    public Exchanges showing(ClientCertificate certificate) {
        clientCertificate = Optional.of(certificate);
        return this;
    }

    /// The handshake of a WebSocket.
    public Exchanges openingWebSocket() {
        opensWebSocket = true;
        return this;
    }

    /// Recorded in a trace.
    public Exchanges within(Span request) {
        span = request;
        return this;
    }

    public Exchanges calledBy(Consumer caller) {
        consumer = Optional.of(caller);
        return this;
    }

    private record KnownClient(InetAddress address, Optional<ClientCertificate> certificate, boolean opensWebSocket)
            implements ClientFacts {}

    private record KnownRoute(
            String apiId,
            String versionName,
            String pathInApi,
            PathPattern stripped,
            Map<String, String> pathParameters)
            implements RouteFacts {
        @Override
        public boolean covers(String path) {
            return stripped.covers(path);
        }

        @Override
        public String below(String path) {
            return pathInApi;
        }

        @Override
        public Optional<String> pathParameter(String name, String path) {
            return Optional.ofNullable(pathParameters.get(name));
        }

        @Override
        public String forwardedPath(String path) {
            return stripped.below(path);
        }
    }

    private static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(literal, e);
        }
    }
}
