package gateway.policies.message.wss;

import gateway.json.InvalidConfigException;
import gateway.policies.message.KeyWork;
import gateway.policy.Services;
import java.util.function.Function;

/// What a step is compiled with.
///
/// @param counter names what is remembered
/// @param pointer of the step in its policy, such as `/request/0/verify`
/// @param facts the fact that tells who has signed
record SecurityPlace(
        Services services, String counter, String pointer, String facts, boolean mustUnderstand, KeyWork work) {
    SecurityPlace at(String step) {
        return new SecurityPlace(services, counter, pointer + step, facts, mustUnderstand, work);
    }

    /// What `reading` makes, problems of it under the field's pointer.
    ///
    /// @throws InvalidConfigException when it makes nothing
    <T> T read(String field, Function<Services, T> reading) {
        try {
            return reading.apply(services);
        } catch (InvalidConfigException e) {
            throw new InvalidConfigException(
                    pointer + '/' + field, e.problems().getFirst().message());
        }
    }
}
