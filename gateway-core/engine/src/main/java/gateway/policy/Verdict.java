package gateway.policy;

import gateway.http.Response;
import java.util.Objects;
import java.util.Optional;

/// What a policy says to a request.
public sealed interface Verdict {
    Verdict PROCEED = new Proceed(Followup.NONE);

    record Proceed(Followup followup) implements Verdict {
        public Proceed {
            Objects.requireNonNull(followup, "followup");
        }
    }

    /// The request ends here with this refusal, whose reason stands in the response.
    record Stop(Response response) implements Verdict {
        /// Without one, what was to be refused would pass.
        public Stop {
            Objects.requireNonNull(response, "response");
        }
    }

    /// The request ends here with what it asks for: a mock, a preflight's answer, something remembered.
    ///
    /// @param renewal what goes on behind it; empty for most
    record Answer(Response response, Optional<Renewal> renewal) implements Verdict {
        public Answer {
            Objects.requireNonNull(response, "response");
            Objects.requireNonNull(renewal, "renewal");
        }
    }

    static Verdict proceed() {
        return PROCEED;
    }

    static Verdict proceed(Followup followup) {
        return new Proceed(followup);
    }

    static Verdict answer(Response response) {
        return new Answer(response, Optional.empty());
    }

    /// Answers, and asks the upstream behind it.
    static Verdict answer(Response response, Renewal renewal) {
        return new Answer(response, Optional.of(renewal));
    }

    static Verdict stop(Response response) {
        return new Stop(response);
    }
}
