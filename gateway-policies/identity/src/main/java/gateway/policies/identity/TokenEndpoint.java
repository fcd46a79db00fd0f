package gateway.policies.identity;

import gateway.http.Secret;
import gateway.http.Span;
import gateway.service.CallBounds;
import gateway.service.DependencyException;
import gateway.service.ServerCalls;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Asks an OAuth 2.0 server for a token (RFC 6749 §5).
final class TokenEndpoint {
    private static final int MOST_BYTES = 1 << 16;

    private final String name;
    private final String path;
    private final ServerCalls server;
    private final ClientProof client;
    private final CallBounds bounds;

    /// @param name of the server
    /// @param path of the endpoint on it, with its query
    TokenEndpoint(String name, String path, ServerCalls server, ClientProof client, Duration timeout) {
        this.name = name;
        this.path = path;
        this.server = server;
        this.client = client;
        this.bounds = new CallBounds(timeout, MOST_BYTES);
    }

    /// One call by the terms.
    ///
    /// @param secrets that stand in the form: the password of a user, or the token of a caller
    /// @throws DependencyException when no token can be had
    /// @throws SubjectRefusedException when none can be had for the caller's
    TokenAnswer.Given ask(TokenTerms terms, Map<String, Secret> secrets) {
        var form = new LinkedHashMap<>(terms.form());
        secrets.forEach((field, secret) -> form.put(field, secret.reveal()));
        return switch (ask(form, null)) {
            case TokenAnswer.Given given -> given;
            case TokenAnswer.Refused refused -> {
                if (secrets.containsKey("subject_token") && refused.isOfSubject())
                    throw new SubjectRefusedException(name + ": gives no token for a caller's: " + refused.error());
                throw refused.told(name);
            }
        };
    }

    /// One call.
    ///
    /// @param grant the form, but for who asks
    /// @param within what waits for it
    /// @throws DependencyException when there is no answer that can be used
    TokenAnswer ask(Map<String, String> grant, @Nullable Span within) {
        return TokenAnswer.of(server.send(client.post(path, grant), bounds, within), name);
    }

    /// What the server is called.
    String name() {
        return name;
    }
}
