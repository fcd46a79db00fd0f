package gateway.policy;

import gateway.http.Outcome;
import gateway.http.Response;

/// What a policy still does once the answer is known. Innermost first, also after a stop further in.
public interface Followup {
    Followup NONE = new Followup() {};

    /// Sees the answer, once, after those further in, and says what goes on to those further out. Runs under the
    /// rules of its policy's step: on a worker where the policy does, and in its span.
    ///
    /// A `DependencyException` goes by the policy's `onOutage`: the answer as it was where that allows, else 503. A
    /// body larger than what is asked of it is 502, and an upstream that breaks off meanwhile is 502 or 504.
    default Response onResponse(Response response) {
        return response;
    }

    /// Called exactly once, always, when the exchange is over; possibly on an IO thread, so it must not block.
    default void onEnd(Outcome outcome) {}
}
