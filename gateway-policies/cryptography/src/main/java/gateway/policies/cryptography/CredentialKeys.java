package gateway.policies.cryptography;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import gateway.key.ApiKey;
import gateway.key.KeyCredential;
import gateway.policy.Services;
import gateway.service.DependencyException;
import gateway.service.SecretSource;
import gateway.service.SecretUnavailableException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// What the credentials of API keys are once they are parsed and opened, kept for all policies.
public record CredentialKeys(SecretSource secrets, Cache<Of, Optional<MessageKey>> kept) {
    private static final int MOST_KEPT = 10_000;

    /// One for all.
    record Id() {}

    /// @param key id of the API key
    record Of(String key, KeyCredential credential) {}

    /// Asked for while a policy is compiled.
    public static CredentialKeys of(Services services) {
        return services.shared(new Id(), CredentialKeys.class, () -> {
            Cache<Of, Optional<MessageKey>> kept = Caffeine.newBuilder()
                    .maximumSize(MOST_KEPT)
                    .executor(Runnable::run)
                    .build();
            return new CredentialKeys(services.secrets(), kept);
        });
    }

    /// Empty when nothing can be verified with it.
    ///
    /// @throws DependencyException when its secret cannot be opened
    public Optional<MessageKey> of(ApiKey key, KeyCredential credential, MessageAlgorithm algorithm) {
        var of = new Of(key.id(), credential);
        Optional<MessageKey> known = kept.getIfPresent(of);
        if (known != null) return known;
        Optional<MessageKey> made = made(of, algorithm);
        kept.put(of, made);
        return made;
    }

    private Optional<MessageKey> made(Of of, MessageAlgorithm algorithm) {
        if (algorithm.isShared())
            return of.credential().sealed().map(envelope -> opened(of.key(), envelope, algorithm));
        return of.credential().pem().flatMap(algorithm::publicKey).map(key -> MessageKey.of(algorithm, key));
    }

    private MessageKey opened(String key, String envelope, MessageAlgorithm algorithm) {
        try {
            String secret = secrets.ofKey(key, envelope).reveal();
            return MessageKey.of(algorithm, secret.getBytes(StandardCharsets.UTF_8));
        } catch (SecretUnavailableException e) {
            throw new DependencyException("secrets", "the secret of key " + key + " cannot be opened", e);
        }
    }
}
