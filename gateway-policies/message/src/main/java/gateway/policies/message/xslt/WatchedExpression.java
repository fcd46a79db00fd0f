package gateway.policies.message.xslt;

import java.util.function.BiFunction;
import net.sf.saxon.regex.RegexIterator;
import net.sf.saxon.regex.RegularExpression;
import net.sf.saxon.str.UnicodeString;
import net.sf.saxon.trans.XPathException;
import net.sf.saxon.tree.iter.AtomicIterator;

/// A regular expression that ends with the time of the transformation which it is matched for. Saxon bounds the steps
/// of one match, and begins another one at each place of a text.
record WatchedExpression(RegularExpression expression) implements RegularExpression {
    @Override
    public boolean matches(UnicodeString text) {
        return expression.matches(watched(text));
    }

    @Override
    public boolean containsMatch(UnicodeString text) {
        return expression.containsMatch(watched(text));
    }

    @Override
    public AtomicIterator tokenize(UnicodeString text) {
        return expression.tokenize(watched(text));
    }

    @Override
    public RegexIterator analyze(UnicodeString text) {
        return expression.analyze(watched(text));
    }

    @Override
    public UnicodeString replace(UnicodeString text, UnicodeString by) throws XPathException {
        return expression.replace(watched(text), by).economize();
    }

    @Override
    public UnicodeString replaceWith(UnicodeString text, BiFunction<UnicodeString, UnicodeString[], UnicodeString> by)
            throws XPathException {
        return expression.replaceWith(watched(text), by).economize();
    }

    @Override
    public String getFlags() {
        return expression.getFlags();
    }

    @Override
    public boolean isPlatformNative() {
        return expression.isPlatformNative();
    }

    private static UnicodeString watched(UnicodeString text) {
        return TransformBudget.CURRENT.isBound() ? new WatchedText(text, TransformBudget.CURRENT.get()) : text;
    }
}
