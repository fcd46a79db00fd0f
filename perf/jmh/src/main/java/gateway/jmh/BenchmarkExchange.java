package gateway.jmh;

import gateway.http.Body;
import gateway.http.Consumer;
import gateway.http.Exchange;
import gateway.http.Headers;
import java.net.InetAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A `GET /orders/items/7` with a key, as cheap as can be, so that what is measured is the pipeline.
final class BenchmarkExchange implements Exchange {
    private static final InetAddress CLIENT = InetAddress.getLoopbackAddress();

    private final Headers headers = Headers.create();
    private @Nullable Consumer consumer;
    private boolean authenticationWaived;

    BenchmarkExchange(String secret) {
        headers.add("Host", "api.example.com");
        headers.add("Authorization", secret);
    }

    @Override
    public String requestId() {
        return "benchmark";
    }

    @Override
    public String api() {
        return "api-0";
    }

    @Override
    public String method() {
        return "GET";
    }

    @Override
    public String path() {
        return "/orders/items/7";
    }

    @Override
    public String pathInApi() {
        return "/items/7";
    }

    @Override
    public String rawPath() {
        return path();
    }

    @Override
    public String query() {
        return "";
    }

    @Override
    public Optional<String> queryParameter(String name) {
        return Optional.empty();
    }

    @Override
    public void removeQueryParameter(String name) {}

    @Override
    public Optional<String> pathParameter(String name) {
        return Optional.empty();
    }

    @Override
    public String scheme() {
        return "http";
    }

    @Override
    public String host() {
        return "api.example.com";
    }

    @Override
    public InetAddress clientAddress() {
        return CLIENT;
    }

    @Override
    public Headers headers() {
        return headers;
    }

    @Override
    public Optional<String> cookie(String name) {
        return Optional.empty();
    }

    @Override
    public Body body() {
        return Body.EMPTY;
    }

    @Override
    public void replaceBody(Body body) {}

    @Override
    public void limitBody(long bytes) {}

    @Override
    public Optional<Consumer> consumer() {
        return Optional.ofNullable(consumer);
    }

    @Override
    public void authenticated(Consumer caller) {
        consumer = caller;
    }

    @Override
    public void waiveAuthentication() {
        authenticationWaived = true;
    }

    @Override
    public boolean authenticationWaived() {
        return authenticationWaived;
    }
}
