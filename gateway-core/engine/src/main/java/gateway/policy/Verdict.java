package gateway.policy;

import gateway.http.Response;
import java.util.Objects;

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
    record Answer(Response response) implements Verdict {
        public Answer {
            Objects.requireNonNull(response, "response");
        }
    }

    static Verdict proceed() {
        return PROCEED;
    }

    static Verdict proceed(Followup followup) {
        return new Proceed(followup);
    }

    static Verdict answer(Response response) {
        return new Answer(response);
    }

    static Verdict stop(Response response) {
        return new Stop(response);
    }
}
