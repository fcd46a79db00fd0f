package gateway.policies.message.jose;

import com.nimbusds.jose.jwk.KeyUse;
import gateway.http.FailureReason;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.policies.cryptography.FetchedSet;
import gateway.policies.cryptography.KeyOrigin;
import gateway.policies.cryptography.KeySources;
import gateway.service.DependencyException;
import gateway.service.ResourceReference;
import gateway.service.SecretReference;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Makes the source of a recipient's key, while a policy is compiled.
record RecipientKeys(EncryptStep step, JosePlace place) {
    /// @throws InvalidConfigException when the definition gives keys of which none is for the step's algorithm
    Supplier<ClosingKey> source() {
        return switch (step.keys()) {
            case RecipientOrigin.Inline(String jwks) -> given(ofSet(Json.parse(jwks)));
            case RecipientOrigin.StoredSet(ResourceReference resource) ->
                given(ofSet(json(place.services().resource(resource).text())));
            case RecipientOrigin.Pem(String text) -> given(ofPem(text));
            case RecipientOrigin.StoredPem(ResourceReference resource) ->
                given(ofPem(place.services().resource(resource).text()));
            case RecipientOrigin.Shared(SecretReference secret) ->
                given(fitting(JoseKeys.ofSecret(place.secret(secret).reveal(), KeyUse.ENCRYPTION), "secret"));
            case RecipientOrigin.Told(KeyOrigin.Server server) ->
                new Fetching(
                        step,
                        server.name(),
                        new KeySources(place.services(), place.timeout()).set(server, place.pointer()));
        };
    }

    private static Supplier<ClosingKey> given(ClosingKey key) {
        return () -> key;
    }

    private JsonNode json(String text) {
        try {
            return Json.parseBounded(text);
        } catch (InvalidConfigException e) {
            throw place.invalid("keys", e.problems().getFirst().message());
        }
    }

    private ClosingKey ofSet(JsonNode set) {
        try {
            return fitting(JoseKeys.ofRecipients(set), "keys");
        } catch (InvalidConfigException e) {
            throw place.invalid("keys", e.problems().getFirst().message());
        }
    }

    private ClosingKey ofPem(String text) {
        return fitting(JoseKeys.ofPem(text).stream().toList(), "pem");
    }

    private ClosingKey fitting(List<JoseKey> keys, String field) {
        return found(step, keys)
                .orElseThrow(() -> place.invalid(
                        field, "expected a key for " + step.algorithm().word()));
    }

    private static Optional<ClosingKey> found(EncryptStep step, List<JoseKey> keys) {
        return ClosingKey.of(keys, step.algorithm(), step.encryption());
    }

    /// That of a set which a server tells, read once for each that was fetched.
    private static final class Fetching implements Supplier<ClosingKey> {
        /// @param set that it was read of
        private record Reading(JsonNode set, ClosingKey key) {}

        private final EncryptStep step;
        private final String server;
        private final FetchedSet fetched;
        private volatile @Nullable Reading last; // by whoever comes first; who comes meanwhile reads it too

        Fetching(EncryptStep step, String server, FetchedSet fetched) {
            this.step = step;
            this.server = server;
            this.fetched = fetched;
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // the same object, or another one was fetched
        public ClosingKey get() {
            JsonNode set = fetched.current();
            Reading known = last;
            if (known != null && known.set() == set) return known.key();
            ClosingKey key = read(set);
            last = new Reading(set, key);
            return key;
        }

        private ClosingKey read(JsonNode set) {
            try {
                Optional<ClosingKey> key = found(step, JoseKeys.ofRecipients(set));
                if (key.isPresent()) return key.get();
            } catch (InvalidConfigException e) {
                // told below, as any other set without a key
            }
            String missing = "its key set has no key for " + step.algorithm().word();
            throw new DependencyException(server, FailureReason.MALFORMED.word(), missing, null);
        }
    }
}
