package gateway.policies.identity;

import gateway.http.Consumer;
import gateway.key.ApiKey;
import gateway.key.KeyCredential;
import gateway.policies.cryptography.CredentialKeys;
import gateway.policies.cryptography.MessageAlgorithm;
import gateway.policies.cryptography.MessageKey;
import gateway.policies.cryptography.SignatureProfile;
import gateway.policies.standard.KeyedCallers;
import gateway.policy.Services;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Finds who may have signed by the id of the key that a message names.
sealed interface MessageSigners {
    /// Those of whom one may have; none when nobody knows the key.
    ///
    /// @throws gateway.service.DependencyException when that cannot be found out
    List<Signer> of(String keyId);

    /// @param apiKey id of the API key that the caller stands for; null: none
    record Signer(
            MessageAlgorithm algorithm,
            MessageKey key,
            Consumer caller,
            @Nullable String apiKey) {}

    static MessageSigners compile(HttpSignature spec, String api, KeyedCallers keyed, Services services) {
        return switch (spec.keysOf()) {
            case DEFINITION -> Listed.compile(spec, api, services);
            case CONSUMERS ->
                new OfConsumers(keyed, CredentialKeys.of(services), spec.rules().profile());
        };
    }

    /// Those of the definition.
    record Listed(Map<String, List<Signer>> signers) implements MessageSigners {
        public Listed {
            signers = Map.copyOf(signers);
        }

        private static Listed compile(HttpSignature spec, String api, Services services) {
            var signers = new HashMap<String, List<Signer>>();
            for (int i = 0; i < spec.keys().size(); i++) {
                MessageSigner each = spec.keys().get(i);
                MessageKey key = each.key(spec.rules().profile(), "/keys/" + i, services);
                String apiKey = each.apiKey().orElse(null);
                signers.put(each.id(), List.of(new Signer(each.algorithm(), key, each.caller(api), apiKey)));
            }
            return new Listed(signers);
        }

        @Override
        public List<Signer> of(String keyId) {
            return signers.getOrDefault(keyId, List.of());
        }
    }

    /// Credentials of API keys, whose ids messages name.
    record OfConsumers(KeyedCallers keyed, CredentialKeys keys, SignatureProfile profile) implements MessageSigners {
        private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

        @Override
        public List<Signer> of(String keyId) {
            if (!ID.matcher(keyId).matches()) return List.of(); // of no key; the store is not asked
            Optional<ApiKey> key = keyed.find(keyId);
            if (key.isEmpty() || key.get().credentials().isEmpty()) return List.of();
            var signers = new ArrayList<Signer>();
            for (KeyCredential each : key.get().credentials()) add(key.get(), each, signers);
            return signers;
        }

        private void add(ApiKey key, KeyCredential credential, List<Signer> to) {
            Optional<MessageAlgorithm> algorithm =
                    MessageAlgorithm.of(credential.algorithm()).filter(each -> each.isOf(profile));
            if (algorithm.isEmpty()) return;
            keys.of(key, credential, algorithm.get())
                    .ifPresent(found -> to.add(new Signer(algorithm.get(), found, key, key.id())));
        }
    }
}
