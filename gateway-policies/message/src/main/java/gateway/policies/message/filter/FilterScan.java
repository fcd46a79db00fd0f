package gateway.policies.message.filter;

import gateway.http.Problem;
import gateway.json.ConfigProblem;
import gateway.policies.message.BoundReachedException;
import gateway.policies.message.SizedWork;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/// One look at one message. Used by one thread at a time.
final class FilterScan {
    private static final String MASK = "***";
    private static final long AT_ONCE = 64 << 10; // characters on a request's own thread

    private final CompiledFilter filter;
    private final long most;
    private final Set<String> reported = new TreeSet<>();
    private long effort;
    private long pause = Long.MAX_VALUE;
    private Optional<Problem> problem = Optional.empty();

    /// @param most characters that finders may look at
    FilterScan(CompiledFilter filter, long most) {
        this.filter = filter;
        this.most = most;
    }

    /// What is wrong with the message so far.
    Optional<Problem> problem() {
        return problem;
    }

    /// Characters that finders may still look at.
    long left() {
        return most - effort;
    }

    /// Names of rules that found something they only report.
    Set<String> reported() {
        return reported;
    }

    /// On the request's own thread as long as that is little, else once more from its begin on a worker.
    ///
    /// @param share whose work it is
    <T> T briefly(SizedWork work, String share, Supplier<T> look) {
        long before = effort;
        pause = before + AT_ONCE;
        try {
            return work.begun(share, look, () -> {
                effort = before;
                pause = Long.MAX_VALUE;
                return look.get();
            });
        } finally {
            pause = Long.MAX_VALUE;
        }
    }

    /// Looks at a value.
    ///
    /// @param scope finders that are for it
    /// @param sentEncoded whether it is percent-encoded by where it stands
    /// @param where it stands, for the client
    /// @return what stands there from now on
    String seen(String value, BitSet scope, boolean sentEncoded, Supplier<String> where) {
        if (value.isEmpty() || scope.isEmpty() || problem.isPresent()) return value;
        if (filter.passes(value, scope, sentEncoded)) return value;
        String result = value;
        List<String> readings = filter.decoding().readings(value, sentEncoded);
        for (int i = 0; i < readings.size() && problem.isEmpty(); i++) {
            String reading = readings.get(i);
            BitSet candidates = filter.candidates(reading, scope);
            for (int id = candidates.nextSetBit(0); id >= 0; id = candidates.nextSetBit(id + 1)) {
                if (problem.isPresent()) return value;
                if (finds(id, reading)) result = after(id, i == 0, result, where);
            }
        }
        return problem.isPresent() ? value : result;
    }

    private boolean finds(int id, String text) {
        TextFinder finder = filter.finder(id);
        return spent(finder.cost(text.length()), () -> "")
                && finder.next(text, 0).isPresent();
    }

    private String after(int id, boolean asItStands, String text, Supplier<String> where) {
        FilterRule rule = filter.owner(id);
        return switch (rule.action()) {
            case REFUSE -> {
                problem = Optional.of(refused(rule, where));
                yield text;
            }
            case REPORT -> {
                reported.add(rule.name());
                yield text;
            }
            // What is only there once it is read otherwise has no begin and no end here.
            case MASK -> asItStands ? masked(text, filter.finder(id), where) : MASK;
        };
    }

    private String masked(String text, TextFinder finder, Supplier<String> where) {
        var masked = new StringBuilder(text.length());
        int from = 0;
        Optional<int[]> place = finder.next(text, 0);
        while (place.isPresent()) {
            int end = place.get()[1];
            masked.append(text, from, place.get()[0]).append(MASK);
            from = end;
            if (!spent(text.length() - from, where)) return text;
            place = finder.next(text, end);
        }
        return masked.append(text, from, text.length()).toString();
    }

    private boolean spent(long characters, Supplier<String> where) {
        effort += characters;
        if (effort > pause) throw new BoundReachedException("at most " + AT_ONCE + " characters at once");
        if (effort <= most) return true;
        problem = Optional.of(new Problem(
                "content-too-complex",
                400,
                "Content too complex",
                "The message is more complex than it may be",
                List.of(new ConfigProblem(where.get(), "expected a look at no more than " + most + " characters"))));
        return false;
    }

    void refuse(Problem other) {
        if (problem.isEmpty()) problem = Optional.of(other);
    }

    private static Problem refused(FilterRule rule, Supplier<String> where) {
        return new Problem(
                "content-refused",
                403,
                "Content refused",
                "The rule " + rule.name() + " lets this not pass",
                List.of(new ConfigProblem(where.get(), "refused by " + rule.name())));
    }
}
