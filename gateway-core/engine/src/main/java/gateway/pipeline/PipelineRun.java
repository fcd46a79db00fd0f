package gateway.pipeline;

import gateway.http.Outcome;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.policy.Followup;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// One request's walk through a pipeline: which followups wait for it. Belongs to one request.
public final class PipelineRun {
    private static final Followup[] NONE = new Followup[0];

    private final UpstreamWaiter waiter;
    private Followup[] followups = NONE;
    private int count;
    private @Nullable String stoppedBy;
    private boolean ended;

    /// @param waiter on whose behalf the upstream is asked
    public PipelineRun(UpstreamWaiter waiter) {
        this.waiter = waiter;
    }

    UpstreamWaiter waiter() {
        return waiter;
    }

    void await(Followup followup) {
        if (followup.equals(Followup.NONE)) return;
        if (count == followups.length) followups = Arrays.copyOf(followups, count + 4);
        followups[count++] = followup;
    }

    void stoppedBy(String step) {
        stoppedBy = step;
    }

    /// The step that ended the request, as definitions name it; null while or when none did.
    public @Nullable String stoppedBy() {
        return stoppedBy;
    }

    Response unwind(Response response) {
        Response current = response;
        for (int i = count - 1; i >= 0; i--) current = followups[i].onResponse(current);
        return current;
    }

    /// Calls every followup's `onEnd`, innermost first; a second call does nothing. Called by whoever sees the exchange
    /// end.
    ///
    /// @throws RuntimeException the first that a followup threw, after all were called
    public void end(Outcome outcome) {
        if (ended) return;
        ended = true;
        RuntimeException broken = null;
        for (int i = count - 1; i >= 0; i--) {
            try {
                followups[i].onEnd(outcome);
            } catch (RuntimeException e) {
                if (broken == null) broken = e;
            }
        }
        if (broken != null) throw broken;
    }
}
