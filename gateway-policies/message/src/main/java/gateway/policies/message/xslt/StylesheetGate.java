package gateway.policies.message.xslt;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.xml.sax.Attributes;
import org.xml.sax.Locator;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;
import org.xml.sax.XMLReader;
import org.xml.sax.helpers.AttributesImpl;
import org.xml.sax.helpers.XMLFilterImpl;

/// Stands between the reader of a stylesheet and its compiler: refuses instructions that read or write something
/// else than the message, and puts a look at the clock around the body of each function and named template, since
/// those may call themselves without end:
///
/// ```xml
/// <xsl:choose>
///   <xsl:when test="Q{urn:gateway:stylesheet}has-time()">…</xsl:when>
///   <xsl:otherwise><xsl:sequence select="error()"/></xsl:otherwise>
/// </xsl:choose>
/// ```
///
/// `choose` is what the compiler sees calls at the end of a body through, so that they need no stack.
final class StylesheetGate extends XMLFilterImpl {
    static final String XSL = "http://www.w3.org/1999/XSL/Transform";

    private static final Set<String> REFUSED =
            Set.of("result-document", "source-document", "evaluate", "use-package", "import-schema");
    private static final Set<String> BEFORE_A_BODY = Set.of("param", "context-item");

    private @Nullable Locator place;
    private int depth;
    private int holder; // depth of the function or template that is read; 0: none
    private boolean begun; // its body
    private String prefix = "";

    StylesheetGate(XMLReader reader) {
        super(reader);
    }

    @Override
    public void setDocumentLocator(Locator locator) {
        place = locator;
        super.setDocumentLocator(locator);
    }

    @Override
    public void startElement(String uri, String local, String name, Attributes attributes) throws SAXException {
        depth++;
        boolean ofXslt = uri.equals(XSL);
        if (ofXslt && REFUSED.contains(local)) throw new SAXParseException(name + " is not taken", place);
        if (isBefore(ofXslt && BEFORE_A_BODY.contains(local))) begin();
        super.startElement(uri, local, name, attributes);
        boolean mayCallItself = local.equals("function") || (local.equals("template") && hasName(attributes));
        if (!ofXslt || holder > 0 || !mayCallItself) return;
        holder = depth;
        begun = false;
        int colon = name.indexOf(':');
        prefix = colon < 0 ? "" : name.substring(0, colon + 1);
    }

    private boolean isBefore(boolean declaration) {
        return holder > 0 && !begun && !declaration && depth == holder + 1;
    }

    private static boolean hasName(Attributes attributes) {
        return attributes.getIndex("", "name") >= 0;
    }

    @Override
    public void characters(char[] text, int start, int length) throws SAXException {
        boolean blank = new String(text, start, length).isBlank();
        if (holder > 0 && !begun && !blank && depth == holder) begin();
        super.characters(text, start, length);
    }

    @Override
    public void endElement(String uri, String local, String name) throws SAXException {
        if (depth == holder) {
            if (begun) end();
            holder = 0;
        }
        depth--;
        super.endElement(uri, local, name);
    }

    private void begin() throws SAXException {
        begun = true;
        open("choose", "", "");
        open("when", "test", HasTime.CALL);
    }

    private void end() throws SAXException {
        close("when");
        open("otherwise", "", "");
        open("sequence", "select", "error()");
        close("sequence");
        close("otherwise");
        close("choose");
    }

    private void open(String local, String attribute, String value) throws SAXException {
        var attributes = new AttributesImpl();
        if (!attribute.isEmpty()) attributes.addAttribute("", attribute, attribute, "CDATA", value);
        super.startElement(XSL, local, prefix + local, attributes);
    }

    private void close(String local) throws SAXException {
        super.endElement(XSL, local, prefix + local);
    }
}
