package gateway.pipeline;

import gateway.http.Response;
import gateway.policy.PolicyDefinition;
import gateway.service.Permit;
import java.util.Optional;

/// What one policy makes of a request that nobody has sent.
///
/// @param why in words, where the verdict alone does not tell; else empty text
/// @param response by which it would end the request; empty when it would not
/// @param permit what its counter says, nothing spent; empty for policies that do not count
/// @param nanos that it took; 0 when it was not asked
public record StepExplanation(
        PolicyDefinition policy,
        Said said,
        String why,
        Optional<Response> response,
        Optional<Permit> permit,
        long nanos) {
    /// A verdict, or why there is none.
    public enum Said {
        PROCEED,
        /// It refuses the request; where it only reports that, the request goes on.
        STOP,
        /// It gives the request what it asks for, in the upstream's place.
        ANSWER,
        /// It breaks: the request is answered 500.
        FAIL,
        /// Its condition does not hold.
        SKIPPED,
        /// It is not asked, since asking has effects.
        NOT_RUN,
        /// A policy before it ends the request.
        NOT_REACHED
    }

    static StepExplanation skipped(PolicyDefinition policy) {
        return unasked(policy, Said.SKIPPED, "its condition does not hold");
    }

    static StepExplanation notRun(PolicyDefinition policy, String why) {
        return unasked(policy, Said.NOT_RUN, why);
    }

    static StepExplanation notReached(PolicyDefinition policy) {
        return unasked(policy, Said.NOT_REACHED, "");
    }

    private static StepExplanation unasked(PolicyDefinition policy, Said said, String why) {
        return new StepExplanation(policy, said, why, Optional.empty(), Optional.empty(), 0);
    }

    static StepExplanation proceeds(PolicyDefinition policy, String why, long nanos) {
        return new StepExplanation(policy, Said.PROCEED, why, Optional.empty(), Optional.empty(), nanos);
    }

    static StepExplanation ends(PolicyDefinition policy, Said said, String why, Response response, long nanos) {
        return new StepExplanation(policy, said, why, Optional.of(response), Optional.empty(), nanos);
    }

    StepExplanation counting(Permit counted) {
        return new StepExplanation(policy, said, why, response, Optional.of(counted), nanos);
    }
}
