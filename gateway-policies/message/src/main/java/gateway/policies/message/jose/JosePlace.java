package gateway.policies.message.jose;

import gateway.http.Secret;
import gateway.json.InvalidConfigException;
import gateway.policy.Services;
import gateway.service.SecretReference;
import java.time.Duration;
import java.util.concurrent.Callable;

/// What a step is compiled with.
///
/// @param pointer of the step in its policy, such as `/request/0/verify`
/// @param facts the fact that tells who has signed
/// @param timeout of a fetch of keys
record JosePlace(Services services, String api, String pointer, String facts, Duration timeout) {
    /// Bytes whose digest takes no longer than a hand-over.
    private static final int SMALL = 16 << 10;

    /// Bytes from which on it is long work, of which fewer pieces may wait.
    private static final int LARGE = 1 << 20;

    JosePlace at(String step) {
        return new JosePlace(services, api, pointer + step, facts, timeout);
    }

    InvalidConfigException invalid(String field, String message) {
        return new InvalidConfigException(pointer + '/' + field, message);
    }

    Secret secret(SecretReference reference) {
        return services.secret(reference);
    }

    /// Does cryptography where it holds up no other request.
    ///
    /// @param slow whether it takes far more than 100 µs whatever it is done to
    /// @param bytes that it is done to
    <T> T work(boolean slow, int bytes, Callable<T> work) {
        if (bytes > LARGE) return services.workers().call(api, work);
        if (slow || bytes > SMALL) return services.workers().callBriefly(api, work);
        try {
            return work.call();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("cryptography throws no checked exception", e);
        }
    }
}
