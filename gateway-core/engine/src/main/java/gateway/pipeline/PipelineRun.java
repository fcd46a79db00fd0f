package gateway.pipeline;

import gateway.http.Exchange;
import gateway.http.Outcome;
import gateway.http.PieceChangeException;
import gateway.http.PieceStation;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.policy.ErrorAnswers;
import gateway.policy.Followup;
import gateway.policy.Renewal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One request's walk through a pipeline: which followups wait for it. Belongs to one request.
public final class PipelineRun {
    private static final Followup[] NONE = new Followup[0];
    private static final int PLACED = 8; // so many followups of steps without rules are known by a place
    private static final int UNKNOWN = 0xFF;

    /// A step broke on this request.
    ///
    /// @param step as definitions name it; empty when it was none of them
    public record Breakage(String step, Throwable why) {}

    private final UpstreamWaiter waiter;
    private Followup[] followups = NONE;
    private @Nullable PolicyStep @Nullable [] owners; // beside their followups; null while no step has rules for them
    private int count;
    private long places; // of the steps that the first followups belong to, eight bits for each
    private int forgottenFrom; // those up to `forgottenTo` see no answer
    private int forgottenTo;
    private List<PieceStation> stations = List.of(); // that bodies pass; few requests have any
    private @Nullable String stoppedBy;
    private @Nullable RuntimeException cause;
    private @Nullable ErrorAnswers errors; // null: problems stay as they are
    private @Nullable PendingRenewal renewal; // null: nothing goes on behind the answer
    private List<String> reported = List.of();
    private List<Breakage> broken = List.of();
    private boolean ended;

    /// What is to go on behind the answer to this request.
    ///
    /// @param place of the step that wants it, in its pipeline
    public record PendingRenewal(Renewal renewal, int place) {}

    /// @param waiter on whose behalf the upstream is asked
    public PipelineRun(UpstreamWaiter waiter) {
        this.waiter = waiter;
    }

    /// The gateway's own answers to this request are told as `answers` says.
    public void tellErrorsBy(ErrorAnswers answers) {
        errors = answers;
    }

    /// `answer`, in the form that its API has for errors if it is one of the gateway's own.
    public Response told(Response answer) {
        return errors == null ? answer : errors.told(answer);
    }

    /// The same, or `answer` as it is when the form breaks.
    Response toldSoundly(Response answer, Exchange exchange) {
        try {
            return told(answer);
        } catch (Throwable e) {
            var _ = broken("", e, exchange);
            return answer;
        }
    }

    UpstreamWaiter waiter() {
        return waiter;
    }

    /// @param place of its step in the pipeline
    void await(Followup followup, int place) {
        if (followup.equals(Followup.NONE)) return;
        if (count < PLACED) places |= (long) Math.min(place, UNKNOWN) << (count * Byte.SIZE);
        if (count == followups.length) followups = Arrays.copyOf(followups, count + 4);
        followups[count++] = followup;
    }

    /// Whether a place tells no more to whom the next followup belongs.
    boolean isCrowded() {
        return count >= PLACED;
    }

    /// Awaits one that works under the rules of `step`; few steps have any.
    void await(Followup followup, PolicyStep step) {
        if (followup.equals(Followup.NONE)) return;
        await(followup, step.place());
        if (owners == null) owners = new PolicyStep[followups.length];
        else if (owners.length < count) owners = Arrays.copyOf(owners, followups.length);
        owners[count - 1] = step;
    }

    /// A body passes `station`, which is told at the latest when the exchange is over that no more comes.
    void awaitPieces(PieceStation station) {
        if (stations.isEmpty()) stations = new ArrayList<>(2);
        stations.add(station);
    }

    /// How many wait.
    int followups() {
        return count;
    }

    /// Whether one of those from `first` on has the upstream asked once more; the innermost is asked first.
    ///
    /// @param steps of the pipeline, of which one is named when it breaks
    boolean wantsAgain(int first, Response answer, Step[] steps) {
        int at = count - 1;
        try {
            for (; at >= first; at--) if (followups[at].again(answer)) return true;
            return false;
        } catch (Throwable e) {
            stoppedBy = owner(at, steps);
            throw e;
        }
    }

    /// Those from `first` on see no answer.
    void forgetFrom(int first) {
        forgottenFrom = first;
        forgottenTo = count;
    }

    /// Shows the answer to one of them.
    Response follow(int index, Exchange exchange, Response answer) {
        if (index >= forgottenFrom && index < forgottenTo) return answer;
        PolicyStep owner = ruler(index);
        return owner == null
                ? followups[index].onResponse(answer)
                : owner.follow(followups[index], exchange, answer, this);
    }

    private @Nullable PolicyStep ruler(int index) {
        return owners == null || index >= owners.length ? null : owners[index];
    }

    /// The one of `steps` that a followup belongs to, as definitions name it; empty when that is not known.
    String owner(int index, Step[] steps) {
        Step owner = step(index, steps);
        return owner == null ? "" : owner.toString();
    }

    private @Nullable Step step(int index, Step[] steps) {
        PolicyStep ruler = ruler(index);
        if (ruler != null) return ruler;
        int place = index < PLACED ? (int) (places >>> (index * Byte.SIZE)) & UNKNOWN : UNKNOWN;
        return place == UNKNOWN ? null : steps[place];
    }

    /// A body is refused that `step` is to see.
    void refusedAt(String step, RuntimeException why) {
        if (!step.isEmpty()) stoppedBy = step;
        cause = why;
    }

    /// The answer to what `step` has broken, which is kept to be logged.
    ///
    /// @param step empty when it was none of them
    /// @throws VirtualMachineError when `why` is one: nothing is to be done about it here, except after a recursion
    ///     that was too deep
    Response broken(String step, Throwable why, Exchange exchange) {
        if (why instanceof VirtualMachineError e && !(e instanceof StackOverflowError)) throw e;
        if (!step.isEmpty()) stoppedBy = step;
        if (broken.isEmpty()) broken = new ArrayList<>(1);
        broken.add(new Breakage(step, why));
        return FailureAnswers.broken(exchange);
    }

    /// What broke on the way, to be logged by whoever runs the pipeline.
    public List<Breakage> broken() {
        return broken;
    }

    void renewBehind(Renewal wanted, int place) {
        renewal = new PendingRenewal(wanted, place);
    }

    /// What is to go on behind the answer, from now on the caller's to begin or to drop; null: nothing.
    public @Nullable PendingRenewal takeRenewal() {
        PendingRenewal taken = renewal;
        renewal = null;
        return taken;
    }

    void stoppedBy(String step) {
        stoppedBy = step;
    }

    /// A followup has refused the answer, in the name of its one of `steps`.
    void refusedBy(int index, Step[] steps) {
        Step owner = step(index, steps);
        if (owner == null) return;
        stoppedBy = owner.toString();
        if (owner instanceof PolicyStep policy) policy.refusedAnswer();
    }

    /// An answer was on its way already when the policy that changes it broke.
    public void brokeOff(PieceChangeException why) {
        stoppedBy = why.owner();
    }

    /// The step that ended the request, as definitions name it; null while or when none did.
    public @Nullable String stoppedBy() {
        return stoppedBy;
    }

    /// `step` would have refused the request with `refusal`.
    void reported(String step, Response refusal) {
        if (reported.isEmpty()) reported = new ArrayList<>(2);
        String why = refusal.reason().isEmpty() ? Integer.toString(refusal.status()) : refusal.reason();
        reported.add(step + ':' + why);
    }

    /// Whether `step` would have refused the request.
    boolean hasReported(String step) {
        for (int i = 0; i < reported.size(); i++) {
            String each = reported.get(i);
            if (each.startsWith(step) && each.indexOf(':', step.length()) == step.length()) return true;
        }
        return false;
    }

    /// What policies that only report would have refused, as `step:reason`, such as `rate-limit:rate-limited`.
    public List<String> reported() {
        return reported;
    }

    void failedBy(RuntimeException why) {
        cause = why;
    }

    /// What failed last on the way, be it that the request was refused for it or that a policy went on without; null
    /// when nothing did.
    public @Nullable RuntimeException cause() {
        return cause;
    }

    /// Calls every followup's `onEnd`, innermost first; a second call does nothing. Called by whoever sees the exchange
    /// end.
    ///
    /// @throws RuntimeException the first that a followup threw, after all were called
    public void end(Outcome outcome) {
        if (ended) return;
        ended = true;
        for (int i = 0; i < stations.size(); i++) stations.get(i).broken();
        Throwable broken = null;
        PendingRenewal pending = takeRenewal();
        if (pending != null) pending.renewal().dropped();
        for (int i = count - 1; i >= 0; i--) {
            try {
                followups[i].onEnd(outcome);
            } catch (Exception | Error e) { // the others have something to give back
                if (broken == null) broken = e;
            }
        }
        switch (broken) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        }
    }
}
