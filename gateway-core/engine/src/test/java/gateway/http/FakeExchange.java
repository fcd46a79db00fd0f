package gateway.http;

import java.net.InetAddress;
import java.net.URLDecoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// An exchange without a socket: built by chained calls, then handed to a policy and looked at.
///
/// ```java
/// var exchange = FakeExchange.get("/orders/7?x=1").with("Authorization", "Bearer s").from("203.0.113.9");
/// ```
public final class FakeExchange implements Exchange {
    private final String method;
    private final String rawPath;
    private final Headers headers = Headers.create();
    private final Map<String, String> pathParameters = new LinkedHashMap<>();
    private List<String> query;
    private String requestId = "request-1";
    private String api = "orders";
    private String version = "";
    private String pathInApi;
    private String scheme = "http";
    private String host = "api.example.com";
    private InetAddress clientAddress = address("192.0.2.1");
    private Body body = Body.EMPTY;
    private long bodyLimit = Long.MAX_VALUE;
    private Optional<Consumer> consumer = Optional.empty();
    private boolean authenticationWaived;
    private Optional<ClientCertificate> clientCertificate = Optional.empty();

    private FakeExchange(String method, String target) {
        int mark = target.indexOf('?');
        this.method = method;
        this.rawPath = mark < 0 ? target : target.substring(0, mark);
        this.query = mark < 0 ? List.of() : List.of(target.substring(mark + 1).split("&"));
        this.pathInApi = rawPath;
    }

    public static FakeExchange get(String target) {
        return of("GET", target);
    }

    /// @param target path and query; the path is taken as canonical
    public static FakeExchange of(String method, String target) {
        return new FakeExchange(method, target);
    }

    /// Adds a header line.
    public FakeExchange with(String header, String value) {
        headers.add(header, value);
        return this;
    }

    public FakeExchange from(String address) {
        clientAddress = address(address);
        return this;
    }

    public FakeExchange inApi(String id) {
        api = id;
        return this;
    }

    public FakeExchange inVersion(String name) {
        version = name;
        return this;
    }

    public FakeExchange pathInApi(String path) {
        pathInApi = path;
        return this;
    }

    public FakeExchange requestId(String id) {
        requestId = id;
        return this;
    }

    public FakeExchange scheme(String other) {
        scheme = other;
        return this;
    }

    public FakeExchange host(String other) {
        host = other;
        return this;
    }

    public FakeExchange pathParameter(String name, String value) {
        pathParameters.put(name, value);
        return this;
    }

    /// A held body of known length.
    public FakeExchange body(String text) {
        body = Body.of(text.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    /// A body whose length nobody declared, as chunked content.
    public FakeExchange chunked(String text) {
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
    public FakeExchange showing(ClientCertificate certificate) {
        clientCertificate = Optional.of(certificate);
        return this;
    }

    @Override
    public Optional<ClientCertificate> clientCertificate() {
        return clientCertificate;
    }

    public FakeExchange calledBy(Consumer caller) {
        consumer = Optional.of(caller);
        return this;
    }

    /// The smallest limit asked for; `Long.MAX_VALUE` when none was.
    public long bodyLimit() {
        return bodyLimit;
    }

    @Override
    public String requestId() {
        return requestId;
    }

    @Override
    public String api() {
        return api;
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public String path() {
        return rawPath;
    }

    @Override
    public String pathInApi() {
        return pathInApi;
    }

    @Override
    public String rawPath() {
        return rawPath;
    }

    @Override
    public String query() {
        return String.join("&", query);
    }

    @Override
    public Optional<String> queryParameter(String name) {
        return query.stream()
                .filter(pair -> nameOf(pair).equals(name))
                .findFirst()
                .map(FakeExchange::valueOf);
    }

    @Override
    public void removeQueryParameter(String name) {
        query = query.stream().filter(pair -> !nameOf(pair).equals(name)).toList();
    }

    @Override
    public Optional<String> pathParameter(String name) {
        return Optional.ofNullable(pathParameters.get(name));
    }

    @Override
    public String scheme() {
        return scheme;
    }

    @Override
    public String host() {
        return host;
    }

    @Override
    public InetAddress clientAddress() {
        return clientAddress;
    }

    @Override
    public Headers headers() {
        return headers;
    }

    @Override
    public Optional<String> cookie(String name) {
        var pairs = new ArrayList<String>();
        for (String line : headers.all("Cookie")) pairs.addAll(List.of(line.split(";")));
        return pairs.stream()
                .map(String::strip)
                .filter(pair -> pair.startsWith(name + "="))
                .map(pair -> pair.substring(name.length() + 1))
                .findFirst();
    }

    @Override
    public Body body() {
        return body;
    }

    @Override
    public void replaceBody(Body other) {
        body = other;
    }

    @Override
    public void limitBody(long bytes) {
        bodyLimit = Math.min(bodyLimit, bytes);
    }

    @Override
    public Optional<Consumer> consumer() {
        return consumer;
    }

    @Override
    public void authenticated(Consumer caller) {
        consumer = Optional.of(caller);
    }

    @Override
    public void waiveAuthentication() {
        authenticationWaived = true;
    }

    @Override
    public boolean authenticationWaived() {
        return authenticationWaived;
    }

    private static String nameOf(String pair) {
        int sign = pair.indexOf('=');
        return decoded(sign < 0 ? pair : pair.substring(0, sign));
    }

    private static String valueOf(String pair) {
        int sign = pair.indexOf('=');
        return sign < 0 ? "" : decoded(pair.substring(sign + 1));
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(literal, e);
        }
    }
}
