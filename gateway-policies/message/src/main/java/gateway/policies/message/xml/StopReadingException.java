package gateway.policies.message.xml;

import org.xml.sax.SAXException;

/// Enough is known of a document.
final class StopReadingException extends SAXException {
    private static final long serialVersionUID = 1;

    StopReadingException() {
        super("enough is known");
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
