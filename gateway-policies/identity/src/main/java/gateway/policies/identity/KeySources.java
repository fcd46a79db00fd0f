package gateway.policies.identity;

import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.policy.Services;
import gateway.service.ServerCalls;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// Makes the sources of issuers' keys, while a policy is compiled.
///
/// @param timeout of a fetch
record KeySources(Services services, Duration timeout) {
    /// @param pointer where the issuer stands
    KeySource of(TokenIssuer issuer, String pointer) {
        return switch (issuer.origin()) {
            case KeyOrigin.Server server -> fetched(server, pointer);
            case KeyOrigin.Inline(String jwks) -> new LocalKeys(JwkReader.read(Json.parse(jwks)));
            case KeyOrigin.Pem(String text) ->
                new LocalKeys(KeySet.of(PemReader.read(text).orElseThrow()));
            case KeyOrigin.Shared shared -> new LocalKeys(KeySet.of(shared(issuer, shared, pointer)));
        };
    }

    private FetchedKeys fetched(KeyOrigin.Server server, String pointer) {
        String field = pointer + (server.discovered() ? "/issuer" : "/jwks");
        ServerCalls calls = calls(services, server, pointer, field);
        var id = new FetchedKeys.Id(server, timeout);
        return services.shared(
                id,
                FetchedKeys.class,
                () -> FetchedKeys.create(
                        id,
                        new KeyFetch(server, services.calls(), calls, timeout),
                        services.refresher(),
                        services.clock()));
    }

    /// Problems stand under the field that names the server.
    static ServerCalls calls(Services services, KeyOrigin.Server server, String pointer, String field) {
        try {
            return services.calls().to(server.target(), pointer);
        } catch (InvalidConfigException e) {
            throw new InvalidConfigException(e.problems().stream()
                    .map(each ->
                            each.pointer().equals(pointer + "/url") ? new ConfigProblem(field, each.message()) : each)
                    .toList());
        }
    }

    private VerificationKey shared(TokenIssuer issuer, KeyOrigin.Shared shared, String pointer) {
        byte[] secret = services.secret(shared.secret()).reveal().getBytes(StandardCharsets.UTF_8);
        for (SigningAlgorithm each : issuer.algorithms()) {
            if (secret.length < each.secretBytes()) {
                String expected = "expected a secret of at least " + each.secretBytes() + " bytes for " + each.word();
                throw new InvalidConfigException(pointer + "/secret", expected);
            }
        }
        return PublicKeys.shared(secret);
    }
}
