package gateway.policies.identity;

import gateway.service.CallTarget;
import gateway.service.SecretReference;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/// What a token is asked for with, and when. Equal terms share one token.
///
/// @param path of the token endpoint on `target`, with its query
/// @param form what is sent, but for secrets
/// @param password sent as `password`, where the grant is that of a user
/// @param renewBefore so long before its end a new one is fetched
/// @param timeout for one call
record TokenTerms(
        CallTarget target,
        String path,
        TokenClient client,
        Map<String, String> form,
        Optional<SecretReference> password,
        Duration renewBefore,
        Duration timeout) {
    /// Of the token endpoint.
    String url() {
        return target.name() + path;
    }
}
