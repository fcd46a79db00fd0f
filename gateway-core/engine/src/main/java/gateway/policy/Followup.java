package gateway.policy;

import gateway.http.Outcome;
import gateway.http.Response;

/// What a policy still does once the answer is known. Innermost first, also after a stop further in.
public interface Followup {
    Followup NONE = new Followup() {};

    default Response onResponse(Response response) {
        return response;
    }

    /// Called exactly once, always, when the exchange is over; possibly on an IO thread, so it must not block.
    default void onEnd(Outcome outcome) {}
}
