package gateway.policies.message.xslt;

import java.util.function.IntPredicate;
import net.sf.saxon.str.UnicodeString;
import net.sf.saxon.z.IntIterator;

/// A text that a regular expression looks at, with a look at the clock for each code point.
final class WatchedText extends UnicodeString {
    private final UnicodeString text;
    private final TransformBudget budget;

    WatchedText(UnicodeString text, TransformBudget budget) {
        this.text = text;
        this.budget = budget;
    }

    @Override
    public int codePointAt(long at) {
        budget.step();
        return text.codePointAt(at);
    }

    @Override
    public long indexOf(int codePoint, long from) {
        budget.step();
        return text.indexOf(codePoint, from);
    }

    @Override
    public long indexWhere(IntPredicate fits, long from) {
        budget.step();
        return text.indexWhere(fits, from);
    }

    @Override
    public long length() {
        return text.length();
    }

    @Override
    public int getWidth() {
        return text.getWidth();
    }

    @Override
    public IntIterator codePoints() {
        return text.codePoints();
    }

    @Override
    public UnicodeString substring(long from, long to) {
        return text.substring(from, to);
    }

    @Override
    public UnicodeString concat(UnicodeString other) {
        return text.concat(other);
    }

    /// Nobody keeps the view: Saxon hands back a text in which it has found nothing.
    @Override
    public UnicodeString economize() {
        return text.economize();
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
