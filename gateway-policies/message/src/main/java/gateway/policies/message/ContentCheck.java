package gateway.policies.message;

import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.Problem;
import java.util.Optional;

/// Looks at the content of one message. Used by many threads at once.
@FunctionalInterface
public interface ContentCheck {
    /// @param fields of the message
    /// @param answer whether it is an answer
    /// @return what is wrong with it, as it is told of a request
    Optional<Problem> check(HeldBody body, Headers fields, boolean answer);
}
