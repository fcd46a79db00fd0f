package gateway.json;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// One pass of an [Exploration]: what is other than usual in it, and what its reader asked for.
final class ReadingPass {
    final List<Variation> variations;

    /// Where something absent was a problem.
    final Set<String> missing = new HashSet<>();

    /// Where something is there whose absence would have been a problem: nothing was asked before that depends on
    /// whether it is.
    final Set<String> needed = new HashSet<>();

    /// What could have been other than usual.
    final Set<Variation> met = new HashSet<>();

    private long counted;

    ReadingPass(List<Variation> variations) {
        this.variations = variations;
    }

    /// Its variations but for the last one.
    List<Variation> base() {
        return variations.subList(0, variations.size() - 1);
    }

    boolean has(Variation variation) {
        return variations.contains(variation);
    }

    /// More each time: what stands in for values is never sound.
    long problems() {
        return ++counted;
    }
}
