package gateway.app.steering;

import gateway.wire.client.StreamedBody;
import org.jspecify.annotations.Nullable;

/// What is still to be noted of an answer whose head was good, once its body has ended or broken.
///
/// @param place of the target in `group`
/// @param breaker null: none
/// @param ticket of the request, for `breaker`
record BodyOutcome(
        StreamedBody body,
        int status,
        Group group,
        int place,
        @Nullable CircuitBreaker breaker,
        long ticket) {
    /// A client that went away says nothing more about the target than the head has.
    void tell() {
        boolean failed = body.upstreamFailed();
        if (failed || body.ended()) group.ended(place, !failed, status);
        if (breaker == null) return;
        if (failed) breaker.brokeOff(ticket);
        else breaker.completed(ticket);
    }
}
