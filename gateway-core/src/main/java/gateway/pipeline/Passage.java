package gateway.pipeline;

import gateway.http.Outcome;

/// One request's walk through a pipeline: which followups wait for it.
public final class Passage {
    /// Calls every followup's `onEnd`, innermost first. Called once, by whoever sees the exchange end.
    public void end(Outcome outcome) {}
}
