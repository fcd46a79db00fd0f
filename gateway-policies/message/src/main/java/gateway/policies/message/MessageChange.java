package gateway.policies.message;

import gateway.http.Exchange;
import gateway.http.HeldBody;
import gateway.http.Problem;
import gateway.http.Response;
import java.util.Optional;

/// Makes other messages of those that come. Used by many threads at once.
public interface MessageChange {
    /// Changes what the upstream gets.
    ///
    /// @param body plain, not empty
    /// @return why the request is refused; empty: it goes on
    Optional<Problem> changeRequest(HeldBody body, Exchange exchange);

    /// @param body plain, not empty
    /// @return what goes on to the client
    Response changeAnswer(HeldBody body, Response answer, Exchange exchange);
}
