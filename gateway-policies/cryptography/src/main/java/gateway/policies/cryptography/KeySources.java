package gateway.policies.cryptography;

import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.policy.Services;
import gateway.service.ResourceReference;
import gateway.service.ServerCalls;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/// Makes the sources of issuers' keys, while a policy is compiled.
///
/// @param timeout of a fetch
public record KeySources(Services services, Duration timeout) {
    /// @param algorithms that the keys are for
    /// @param pointer where the fields stand that say where they come from
    public KeySource of(KeyOrigin origin, Set<SigningAlgorithm> algorithms, String pointer) {
        return switch (origin) {
            case KeyOrigin.Server server -> fetched(server, pointer);
            case KeyOrigin.Inline(String jwks) -> LocalKeys.ofSet(Json.parse(jwks), algorithms);
            case KeyOrigin.Pem(String text) -> LocalKeys.ofPem(text, algorithms);
            case KeyOrigin.StoredSet(ResourceReference resource) ->
                stored(pointer + "/keys", resource, text -> LocalKeys.ofSet(Json.parseBounded(text), algorithms));
            case KeyOrigin.StoredPem(ResourceReference resource) ->
                stored(pointer + "/pem", resource, text -> LocalKeys.ofPem(text, algorithms));
            case KeyOrigin.Shared shared -> shared(algorithms, shared, pointer);
        };
    }

    /// Problems stand under the field that names the resource.
    private LocalKeys stored(String field, ResourceReference resource, Function<String, LocalKeys> reader) {
        try {
            return reader.apply(services.resource(resource).text());
        } catch (InvalidConfigException e) {
            throw new InvalidConfigException(field, e.problems().getFirst().message());
        }
    }

    private FetchedKeys fetched(KeyOrigin.Server server, String pointer) {
        String field = server.discovered() ? "issuer" : "jwks";
        ServerCalls calls = services.calls().to(server.target(), pointer, field);
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

    /// All that a server tells of keys, for whoever wants others of them than those that verify.
    ///
    /// @param pointer where the field `jwks` stands
    public FetchedSet set(KeyOrigin.Server server, String pointer) {
        ServerCalls calls = services.calls().to(server.target(), pointer, "jwks");
        var id = new FetchedSet.Id(server, timeout);
        return services.shared(
                id,
                FetchedSet.class,
                () -> FetchedSet.create(
                        id,
                        new KeyFetch(server, services.calls(), calls, timeout),
                        services.refresher(),
                        services.clock()));
    }

    /// Of JWKs several may verify, while one takes the place of another.
    private LocalKeys shared(Set<SigningAlgorithm> algorithms, KeyOrigin.Shared shared, String pointer) {
        List<byte[]> secrets =
                JwkReader.secrets(services.secret(shared.secret()).reveal());
        SigningAlgorithm longest = Collections.max(algorithms, Comparator.comparingInt(SigningAlgorithm::secretBytes));
        List<VerificationKey> keys = secrets.stream()
                .filter(each -> each.length >= longest.secretBytes())
                .map(PublicKeys::shared)
                .toList();
        if (keys.isEmpty()) {
            String expected = secrets.isEmpty()
                    ? "expected a text or a JWK with \"kty\" oct"
                    : "expected a secret of at least " + longest.secretBytes() + " bytes for " + longest.word();
            throw new InvalidConfigException(pointer + "/secret", expected);
        }
        return new LocalKeys(new KeySet(keys, 0, true));
    }
}
