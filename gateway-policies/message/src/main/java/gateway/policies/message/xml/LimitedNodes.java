package gateway.policies.message.xml;

import gateway.http.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.xml.sax.Attributes;
import org.xml.sax.Locator;
import org.xml.sax.SAXException;
import org.xml.sax.ext.DefaultHandler2;
import org.xml.sax.helpers.LocatorImpl;

/// Counts what there is in one document as it is read, up to the first that is one too many, or too long.
final class LimitedNodes extends DefaultHandler2 {
    private final XmlLimits limits;
    private final List<String> path = new ArrayList<>();
    private final int[] children;
    private Locator place = new LocatorImpl();
    private int nodes;
    private int declared; // namespaces, for the element to come
    private int text; // characters since the last tag
    private @Nullable XmlFinding finding;

    LimitedNodes(XmlLimits limits) {
        this.limits = limits;
        this.children = new int[limits.depth() + 1]; // by depth, of the elements that are open
    }

    /// What is over a bound, if that ended the reading.
    Optional<Problem> flaw() {
        return Optional.ofNullable(finding).map(XmlContent::tooComplex);
    }

    @Override
    public void setDocumentLocator(Locator locator) {
        place = locator;
    }

    @Override
    public void startPrefixMapping(String prefix, String uri) throws SAXException {
        declared++;
        if (uri.length() > limits.text()) throw texts();
    }

    @Override
    public void startElement(String uri, String local, String name, Attributes attributes) throws SAXException {
        text = 0;
        int depth = path.size();
        if (depth == limits.depth()) throw over("at most " + depth + " levels");
        if (++children[depth] > limits.children()) throw over("at most " + limits.children() + " elements in one");
        if (name.length() > limits.name()) throw names();
        path.add(local);
        children[depth + 1] = 0;
        int count = declared + attributes.getLength();
        declared = 0;
        if (count > limits.attributes()) throw over("at most " + limits.attributes() + " attributes");
        count(1 + count);
        for (int i = 0; i < attributes.getLength(); i++) {
            if (attributes.getQName(i).length() > limits.name()) throw names();
            if (attributes.getValue(i).length() > limits.text()) throw texts();
        }
    }

    @Override
    public void endElement(String uri, String local, String name) {
        text = 0;
        path.removeLast();
    }

    /// Comes in pieces, and a comment between two makes no two texts of them: readers join them.
    @Override
    public void characters(char[] piece, int start, int length) throws SAXException {
        if (text == 0) count(1);
        text += length;
        if (text > limits.text()) throw texts();
    }

    @Override
    public void processingInstruction(String target, String data) throws SAXException {
        if (!limits.processingInstructions()) throw over("no processing instruction");
        count(1);
        if (target.length() > limits.name()) throw names();
        if (data.length() > limits.text()) throw texts();
    }

    @Override
    public void comment(char[] piece, int start, int length) throws SAXException {
        if (!limits.comments()) throw over("no comment");
        count(1);
        if (length > limits.text()) throw texts();
    }

    private void count(int more) throws SAXException {
        nodes += more;
        if (nodes > limits.nodes()) throw over("at most " + limits.nodes() + " nodes");
    }

    private SAXException names() {
        return over("names of at most " + limits.name() + " characters");
    }

    private SAXException texts() {
        return over("texts of at most " + limits.text() + " characters");
    }

    private SAXException over(String expected) {
        finding = new XmlFinding(
                "/" + String.join("/", path), place.getLineNumber(), place.getColumnNumber(), "expected " + expected);
        return new StopReadingException();
    }
}
