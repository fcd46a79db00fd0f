package gateway.policies.message.xslt;

import net.sf.saxon.Configuration;
import net.sf.saxon.lib.CollationURIResolver;
import net.sf.saxon.lib.StandardCollationURIResolver;
import net.sf.saxon.lib.StringCollator;
import net.sf.saxon.trans.XPathException;

/// Collations of the Unicode Collation Algorithm. Saxon has those of the standards beside them by itself (code points,
/// ASCII and Unicode without case), and would make an object of any class that a collation of its own names.
final class KnownCollations implements CollationURIResolver {
    private static final String UCA = "http://www.w3.org/2013/collation/UCA";
    private static final int LONGEST = 256;

    @Override
    public StringCollator resolve(String uri, Configuration configuration) throws XPathException {
        boolean known = (uri.equals(UCA) || uri.startsWith(UCA + '?')) && uri.length() <= LONGEST;
        StringCollator collator =
                known ? StandardCollationURIResolver.getInstance().resolve(uri, configuration) : null;
        if (collator == null) throw new XPathException("a collation that is not known", "FOCH0002");
        return collator;
    }
}
