package gateway.xml;

import org.xml.sax.Locator;
import org.xml.sax.SAXException;

/// XML that is not read: broken, over a limit, or with something that is never taken. Its message tells what and
/// where, and nothing that the text says.
public final class BadXmlException extends SAXException {
    private static final long serialVersionUID = 1;

    private final Kind kind;

    /// What is wrong with it.
    public enum Kind {
        /// It is no XML 1.0 with namespaces.
        MALFORMED,
        /// It is deeper, wider or longer than is read.
        TOO_COMPLEX,
        /// It has what points out of it or says how it is to be read: a DOCTYPE, a place of a schema.
        REFUSED
    }

    private BadXmlException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    static BadXmlException at(Kind kind, String what, int line, int column) {
        return new BadXmlException(kind, line < 1 ? what : what + " at line " + line + ", column " + column);
    }

    static BadXmlException at(Kind kind, String what, Locator place) {
        return at(kind, what, place.getLineNumber(), place.getColumnNumber());
    }

    public Kind kind() {
        return kind;
    }

    /// Nobody asks where in the parser, and whoever sends broken XML would pay us to find out.
    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
