package gateway.json;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// One pass of an [Exploration]: what is other than usual in it, and where something absent was a problem.
final class ReadingPass {
    final List<Variation> variations;
    final Set<String> missing = new HashSet<>();
    private long counted;

    ReadingPass(List<Variation> variations) {
        this.variations = variations;
    }

    boolean has(Variation variation) {
        return variations.contains(variation);
    }

    /// More each time: what stands in for values is never sound.
    long problems() {
        return ++counted;
    }
}
