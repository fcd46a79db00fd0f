package gateway.policy;

import gateway.http.Response;

/// What a policy says to a request.
public sealed interface Verdict {
    Verdict PROCEED = new Proceed(Followup.NONE);

    record Proceed(Followup followup) implements Verdict {}

    /// The request ends here with this answer.
    record Stop(Response response) implements Verdict {}

    static Verdict proceed() {
        return PROCEED;
    }

    static Verdict proceed(Followup followup) {
        return new Proceed(followup);
    }

    static Verdict stop(Response response) {
        return new Stop(response);
    }
}
