package gateway.policies.message;

import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.Problem;
import java.util.Optional;

/// Looks at the content of one message. Used by many threads at once.
@FunctionalInterface
public interface ContentCheck {
    /// Whether it tells at once that there is nothing wrong, on the request's own thread; false: that is not known.
    default boolean passesAtOnce(HeldBody body, Headers fields) {
        return false;
    }

    /// @param fields of the message
    /// @param answer whether it is an answer
    /// @return what is wrong with it, as it is told of a request
    Optional<Problem> check(HeldBody body, Headers fields, boolean answer);
}
