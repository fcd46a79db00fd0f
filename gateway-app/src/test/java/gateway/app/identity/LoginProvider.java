package gateway.app.identity;

import com.sun.net.httpserver.HttpExchange;
import gateway.policies.cryptography.TokenSmith;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/// An OpenID provider that gives whoever asks an ID token of alice, made as a test wants it. People are not asked: a
/// test plays the browser.
final class LoginProvider implements AutoCloseable {
    private final TokenSmith smith = TokenSmith.of("RS256", "k1");
    private final IdentityProvider server = IdentityProvider.start(smith);
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private volatile String nonce = "";
    private volatile String header = "{'alg': 'RS256', 'typ': 'JWT', 'kid': 'k1'}";
    private volatile UnaryOperator<String> change = UnaryOperator.identity();

    static LoginProvider start() {
        var provider = new LoginProvider();
        provider.server.behave(provider::answer);
        return provider;
    }

    private void answer(HttpExchange exchange) throws IOException {
        String issuer = server.url();
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String answer = switch (exchange.getRequestURI().getPath()) {
            case "/.well-known/openid-configuration" -> """
                    {"issuer": "%1$s", "jwks_uri": "%1$s/keys", "authorization_endpoint": "%1$s/auth",
                     "token_endpoint": "%1$s/token"}""".formatted(issuer);
            case "/keys" -> "{\"keys\": [" + smith.jwk() + "]}";
            default -> given(body);
        };
        byte[] content = answer.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, content.length);
        exchange.getResponseBody().write(content);
    }

    private String given(String form) {
        asked.add(URLDecoder.decode(form, StandardCharsets.UTF_8));
        long now = Instant.now().getEpochSecond();
        String claims = "{'iss': '" + issuer() + "', 'sub': 'alice', 'aud': 'shop', 'nonce': '" + nonce + "', 'iat': "
                + now + ", 'exp': " + (now + 600) + "}";
        String token =
                smith.token(header.replace('\'', '"'), change.apply(claims).replace('\'', '"'));
        return """
                {"token_type": "Bearer", "access_token": "at", "expires_in": 3600, "id_token": "%s"}""".formatted(token);
    }

    String issuer() {
        return server.url();
    }

    /// ID tokens carry this nonce from now on.
    void repeat(String other) {
        nonce = other;
    }

    /// ID tokens have this header from now on, with `'` for quotes.
    void writeHeader(String other) {
        header = other;
    }

    /// This becomes of the claims of ID tokens from now on.
    void alter(UnaryOperator<String> other) {
        change = other;
    }

    /// What its token endpoint has been sent.
    List<String> asked() {
        return List.copyOf(asked);
    }

    void kill() {
        server.kill();
    }

    void revive() {
        server.revive();
    }

    /// Answers everything with a page for people.
    void tellRubbish() {
        server.tell("text/html", "<html><body>login</body></html>");
    }

    /// Answers as it should again.
    void heal() {
        server.behave(this::answer);
    }

    void freeze() {
        server.freeze();
    }

    @Override
    public void close() {
        server.close();
    }
}
