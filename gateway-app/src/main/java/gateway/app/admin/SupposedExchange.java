package gateway.app.admin;

import gateway.config.ApiDefinition;
import gateway.http.Body;
import gateway.http.Consumer;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.key.ApiKey;
import java.net.InetAddress;
import java.util.Optional;

/// A request that a key might send to an API: what limit policies are asked with to find the key's counters. Nothing
/// is ever sent.
final class SupposedExchange implements Exchange {
    private final ApiDefinition definition;
    private final ApiKey key;
    private final Headers headers = Headers.create();

    SupposedExchange(ApiDefinition definition, ApiKey key) {
        this.definition = definition;
        this.key = key;
    }

    @Override
    public String requestId() {
        return "";
    }

    @Override
    public String api() {
        return definition.id();
    }

    @Override
    public String method() {
        return "GET";
    }

    @Override
    public String path() {
        return definition.match().path();
    }

    @Override
    public String pathInApi() {
        return "/";
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
        return "localhost";
    }

    @Override
    public InetAddress clientAddress() {
        return InetAddress.getLoopbackAddress();
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
        return Optional.of(key);
    }

    @Override
    public void authenticated(Consumer consumer) {}

    @Override
    public void waiveAuthentication() {}

    @Override
    public boolean authenticationWaived() {
        return false;
    }
}
