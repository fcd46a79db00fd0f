package gateway.policies.message.filter;

import java.util.BitSet;
import java.util.List;

/// What is looked for in bodies, told once for all messages.
///
/// @param whole finders for the whole body
/// @param placed finders for places in JSON alone
/// @param classes of bytes in the index of literals; negative where one ends what can be told by literals alone
/// @param literalsTell whether nothing is found in a value without a literal
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
record BodyRules(CompiledFilter filter, BitSet whole, BitSet placed, int[] classes, boolean literalsTell) {
    static BodyRules of(CompiledFilter filter) {
        BitSet whole = filter.of(rule -> rule.places().body().contains(List.of()));
        BitSet placed = filter.of(
                rule -> rule.places().inBody() && !rule.places().body().contains(List.of()));
        return new BodyRules(filter, whole, placed, classes(filter), filter.literalsTell(whole));
    }

    private static int[] classes(CompiledFilter filter) {
        ValueDecoding decoding = filter.decoding();
        return filter.index().classesOfBytes(c -> c < ' ' || c == '"' || c == '\\' || decoding.undoes((char) c, false));
    }

    /// How far bytes of JSON go, from `from` on and up to `to`, in which there is no literal, nothing that may stand
    /// for something else, and no end of a text.
    int plainUntil(byte[] json, int from, int to) {
        return filter.index().passesUntil(json, from, to, classes);
    }
}
