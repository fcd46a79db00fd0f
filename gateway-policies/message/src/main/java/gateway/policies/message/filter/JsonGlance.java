package gateway.policies.message.filter;

import gateway.json.Utf8;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/// A first look at JSON, at its bytes and without a tree. Of most messages it tells that they are sound and that
/// nothing
/// is found in them. What is out of the ordinary, such as an exponent, it leaves to the tree.
final class JsonGlance {
    private static final int MOST_LEVELS = 64;
    private static final int LONGEST_NUMBER = 40; // bytes
    private static final int LONGEST_NAME = 50_000;
    private static final int LONGEST_TEXT = 1 << 20;
    private static final int UNKNOWN = -1;

    private final BodyRules rules;
    private final byte[] json;
    private final MemberNames names = new MemberNames();
    private long effort; // that is left
    private int at;
    private boolean beyondAscii;

    private JsonGlance(BodyRules rules, byte[] json, long effort) {
        this.rules = rules;
        this.json = json;
        this.effort = effort;
    }

    /// Whether it is sound JSON in which no rule for whole bodies finds anything; false: that is not known.
    ///
    /// @param effort characters that finders may look at
    static boolean passes(BodyRules rules, byte[] json, long effort) {
        var glance = new JsonGlance(rules, json, effort);
        return glance.value(0) && glance.ends() && (!glance.beyondAscii || Utf8.holds(json));
    }

    private boolean ends() {
        pastBlanks();
        return at == json.length;
    }

    private boolean value(int levels) {
        pastBlanks();
        if (at == json.length) return false;
        return switch (json[at]) {
            case '"' -> text() != UNKNOWN;
            case '{' -> levels < MOST_LEVELS && object(levels + 1);
            case '[' -> levels < MOST_LEVELS && array(levels + 1);
            case 't' -> word("true");
            case 'f' -> word("false");
            case 'n' -> word("null");
            default -> number();
        };
    }

    private boolean array(int levels) {
        at++;
        if (isPast(']')) return true;
        do {
            if (!value(levels)) return false;
        } while (isPast(','));
        return isPast(']');
    }

    private boolean object(int levels) {
        at++;
        if (isPast('}')) return true;
        int outer = names.open();
        do {
            if (!name() || !isPast(':') || !value(levels)) return false;
        } while (isPast(','));
        names.close(outer);
        return isPast('}');
    }

    /// One that the object has not had.
    private boolean name() {
        pastBlanks();
        if (!isAt('"')) return false;
        int begin = at + 1;
        int end = text();
        return end != UNKNOWN && end - begin <= LONGEST_NAME && names.add(json, begin, end);
    }

    private boolean word(String word) {
        for (int i = 0; i < word.length(); i++, at++) if (!isAt(word.charAt(i))) return false;
        return true;
    }

    private boolean number() {
        int begin = at;
        if (isAt('-')) at++;
        int first = at;
        if (isAt('0')) at++;
        else pastDigits();
        if (at == first) return false;
        if (isAt('.')) {
            int point = at++;
            pastDigits();
            if (at == point + 1) return false;
        }
        if (at - begin > LONGEST_NUMBER) return false;
        if (json[first] == '0' && at - begin > 1 && !isWrittenSo(begin)) return false;
        boolean plain = rules.literalsTell() && rules.plainUntil(json, begin, at) == at;
        return plain || isClean(written(begin, at));
    }

    /// Whether a tree has the number as it stands here.
    private boolean isWrittenSo(int begin) {
        String number = written(begin, at);
        return new BigDecimal(number).toString().equals(number);
    }

    /// Goes past a text, whatever it is.
    ///
    /// @return where it ends; [#UNKNOWN] when it may be unsound, or something may be in it
    private int text() {
        int begin = ++at;
        at = rules.plainUntil(json, begin, json.length);
        boolean plain = rules.literalsTell() && isAt('"');
        if (!plain && !goesToQuote()) return UNKNOWN;
        int end = at++;
        if (end - begin > LONGEST_TEXT) return UNKNOWN;
        if (plain) return end;
        Optional<String> text = JsonEscapes.undone(written(begin, end));
        return text.isPresent() && isClean(text.get()) ? end : UNKNOWN;
    }

    private boolean goesToQuote() {
        for (; at < json.length; at++) {
            byte c = json[at];
            if (c == '"') return true;
            if (c == '\\') at++;
            else if (c < 0) beyondAscii = true;
            else if (c < ' ') return false;
        }
        return false;
    }

    private String written(int begin, int end) {
        return new String(json, begin, end - begin, StandardCharsets.UTF_8);
    }

    /// Whether nothing is found in a value; [FilterScan#seen] would look at the same.
    private boolean isClean(String value) {
        BitSet scope = rules.whole();
        if (value.isEmpty() || scope.isEmpty() || rules.filter().passes(value, scope, false)) return true;
        List<String> readings = rules.filter().decoding().readings(value, false);
        for (int i = 0; i < readings.size(); i++) if (finds(readings.get(i), scope)) return false;
        return true;
    }

    private boolean finds(String reading, BitSet scope) {
        BitSet candidates = rules.filter().candidates(reading, scope);
        for (int id = candidates.nextSetBit(0); id >= 0; id = candidates.nextSetBit(id + 1)) {
            TextFinder finder = rules.filter().finder(id);
            effort -= finder.cost(reading.length());
            if (effort < 0 || finder.next(reading, 0).isPresent()) return true;
        }
        return false;
    }

    private boolean isAt(char c) {
        return at < json.length && json[at] == c;
    }

    private boolean isPast(char c) {
        pastBlanks();
        if (!isAt(c)) return false;
        at++;
        return true;
    }

    private void pastBlanks() {
        while (at < json.length && (json[at] == ' ' || json[at] == '\n' || json[at] == '\r' || json[at] == '\t')) at++;
    }

    private void pastDigits() {
        while (at < json.length && json[at] >= '0' && json[at] <= '9') at++;
    }
}
