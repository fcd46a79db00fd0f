package gateway.policies.message.filter;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;

/// Many literals, found in one pass over a text, each of whose characters is looked at once whatever their number
/// (Aho and Corasick, 1975). Case does not matter.
final class LiteralIndex {
    /// Characters of all literals, which bounds the table.
    static final int LARGEST = 20_000;

    private static final int CHARACTERS = 128;
    private static final int BYTES = 256;

    private final int[] classes; // of ASCII; 0 for what is in no literal
    private final int width;
    private final int[] next; // by row and class: the row of the next state, its complement where a literal ends
    private final BitSet[] found; // by state

    private LiteralIndex(int[] classes, int width, int[] next, BitSet[] found) {
        this.classes = classes;
        this.width = width;
        this.next = next;
        this.found = found;
    }

    /// @param literals of each id, lower case or not, ASCII
    static LiteralIndex of(List<List<String>> literals) {
        var classes = new int[CHARACTERS];
        int width = 1;
        for (List<String> each : literals)
            for (String literal : each)
                for (int i = 0; i < literal.length(); i++) {
                    char c = fold(literal.charAt(i));
                    if (classes[c] == 0) classes[c] = width++;
                }
        var trie = new ArrayList<int[]>();
        var ends = new ArrayList<BitSet>();
        add(trie, ends, width);
        for (int id = 0; id < literals.size(); id++) {
            for (String literal : literals.get(id)) {
                int state = 0;
                for (int i = 0; i < literal.length(); i++) {
                    int[] row = trie.get(state);
                    int by = classes[fold(literal.charAt(i))];
                    if (row[by] < 0) {
                        row[by] = trie.size();
                        add(trie, ends, width);
                    }
                    state = row[by];
                }
                ends.get(state).set(id);
            }
        }
        complete(trie, ends, width);
        for (char c = 'A'; c <= 'Z'; c++) classes[c] = classes[fold(c)];
        return new LiteralIndex(classes, width, rows(trie, ends, width), ends.toArray(BitSet[]::new));
    }

    private static int[] rows(List<int[]> trie, List<BitSet> ends, int width) {
        var next = new int[trie.size() * width];
        for (int state = 0; state < trie.size(); state++)
            for (int by = 0; by < width; by++) {
                int to = trie.get(state)[by];
                next[state * width + by] = ends.get(to).isEmpty() ? to * width : ~(to * width);
            }
        return next;
    }

    private static void add(List<int[]> trie, List<BitSet> ends, int width) {
        var row = new int[width];
        Arrays.fill(row, -1);
        trie.add(row);
        ends.add(new BitSet());
    }

    /// Where no literal goes on, the longest end of what was read with which one begins does.
    private static void complete(List<int[]> trie, List<BitSet> ends, int width) {
        var failure = new int[trie.size()];
        var queue = new ArrayDeque<Integer>();
        for (int by = 0; by < width; by++) {
            int to = trie.getFirst()[by];
            if (to < 0) trie.getFirst()[by] = 0;
            else queue.add(to);
        }
        while (!queue.isEmpty()) {
            int state = queue.remove();
            int[] row = trie.get(state);
            int[] other = trie.get(failure[state]);
            ends.get(state).or(ends.get(failure[state]));
            for (int by = 0; by < width; by++) {
                if (row[by] < 0) {
                    row[by] = other[by];
                    continue;
                }
                failure[row[by]] = other[by];
                queue.add(row[by]);
            }
        }
    }

    /// Whether the text holds a literal.
    boolean occursIn(String text) {
        int row = 0;
        for (int i = 0; i < text.length() && row >= 0; i++) row = next[row + by(text.charAt(i))];
        return row < 0;
    }

    /// Adds to `ids` those of whose literals the text holds one.
    void search(String text, BitSet ids) {
        int row = 0;
        for (int i = 0; i < text.length(); i++) {
            row = next[row + by(text.charAt(i))];
            if (row >= 0) continue;
            row = ~row;
            ids.or(found[row / width]);
        }
    }

    /// The classes of bytes: of ASCII those of its characters, but negative for those that `stops` names and for all
    /// beyond ASCII, as [#passesUntil] wants them.
    int[] classesOfBytes(IntPredicate stops) {
        var ofBytes = new int[BYTES];
        Arrays.fill(ofBytes, -1);
        for (int c = 0; c < CHARACTERS; c++) if (!stops.test(c)) ofBytes[c] = classes[c];
        return ofBytes;
    }

    /// Where from `from` on the first byte stands that has a negative class or with which a literal ends; `to` if
    /// there is none before.
    ///
    /// @param ofBytes classes of bytes
    int passesUntil(byte[] text, int from, int to, int[] ofBytes) {
        int row = 0;
        int at = from;
        while (at < to) {
            int by = ofBytes[text[at] & 0xff];
            if (by < 0) break;
            row = next[row + by];
            if (row < 0) break;
            at++;
        }
        return at;
    }

    private int by(char c) {
        if (c < CHARACTERS) return classes[c];
        char folded = fold(c);
        return folded < CHARACTERS ? classes[folded] : 0;
    }

    /// Lower case as regular expressions without regard to case have it: there are two characters beyond ASCII that
    /// equal one within it.
    static char fold(char c) {
        if (c < CHARACTERS) return c >= 'A' && c <= 'Z' ? (char) (c + 32) : c;
        if (c == '\u212a') return 'k';
        return c == '\u017f' ? 's' : c;
    }
}
