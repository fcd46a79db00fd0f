package gateway.policies.message.jose;

import gateway.http.Secret;
import gateway.json.InvalidConfigException;
import gateway.policies.message.KeyWork;
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
        return new KeyWork(services.workers(), api).on(slow, bytes, work);
    }
}
