package gateway.xml;

import java.util.concurrent.ArrayBlockingQueue;
import org.xml.sax.SAXException;
import org.xml.sax.XMLReader;
import org.xml.sax.ext.LexicalHandler;

/// A parser of the JDK, which takes several times longer to make than to read a short document by it. One that has
/// read a document to its end is kept for another, until the names that it has met take some hundred kilobytes: it
/// forgets none.
final class SpareParser {
    private static final int KEPT = 2 * Runtime.getRuntime().availableProcessors();
    private static final int MOST_BYTES_OF_NAMES = 256 << 10;
    private static final int BYTES_AROUND_NAME = 64;
    private static final ArrayBlockingQueue<SpareParser> SPARE = new ArrayBlockingQueue<>(KEPT);

    private final XMLReader parser;
    private int bytes; // of names, were all of them others

    private SpareParser(XMLReader parser) {
        this.parser = parser;
    }

    /// @param lexical told of comments and the like
    static SpareParser take(LexicalHandler lexical) throws SAXException {
        SpareParser spare = SPARE.poll();
        if (spare == null) spare = new SpareParser(Xml.parser());
        spare.parser.setProperty(Xml.LEXICAL_HANDLER, lexical);
        return spare;
    }

    XMLReader parser() {
        return parser;
    }

    void met(String name) {
        bytes += BYTES_AROUND_NAME + 2 * name.length();
    }

    /// Has it read another document some time, unless enough are there. It must have come to the end of its own.
    void giveBack() throws SAXException {
        if (bytes > MOST_BYTES_OF_NAMES) return;
        parser.setProperty(Xml.LEXICAL_HANDLER, null);
        parser.setContentHandler(null);
        parser.setErrorHandler(null);
        parser.setEntityResolver(null);
        parser.setDTDHandler(null);
        boolean _ = SPARE.offer(this);
    }
}
