package gateway.policy;

import gateway.http.Response;

/// What a policy says to a request.
public sealed interface Verdict {
    Verdict PROCEED = new Proceed(Followup.NONE);

    record Proceed(Followup followup) implements Verdict {}

    /// The request ends here with this refusal, whose reason stands in the response.
    record Stop(Response response) implements Verdict {}

    /// The request ends here with what it asks for: a mock, a preflight's answer, something remembered.
    record Answer(Response response) implements Verdict {}

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
