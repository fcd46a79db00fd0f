package gateway.policies.message.xml;

import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.Problem;
import gateway.xml.BadXmlException;
import gateway.xml.Xml;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.xml.sax.ContentHandler;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.XMLReader;
import org.xml.sax.ext.LexicalHandler;

/// The XML of one message. Its encoding is said by the message's `charset`, by the XML itself, or is UTF-8; where both
/// say one, they have to agree, since a reader behind the gateway would take one or the other.
@SuppressWarnings("ArrayRecordComponent") // handed on within the module, and compared by nobody
public record XmlContent(byte[] bytes, Optional<String> charset) {
    /// Media types of XML, unless a definition names others.
    public static final List<String> TYPES = List.of("application/xml", "text/xml", "*/*+xml");

    private static final Pattern CHARSET =
            Pattern.compile(";\\s*charset\\s*=\\s*\"?([^\\s;\"]*)\"?", Pattern.CASE_INSENSITIVE);
    private static final Pattern DECLARED = Pattern.compile("<\\?xml[^>]*?encoding\\s*=\\s*[\"']([^\"']*)[\"']");
    private static final int PROLOG = 200;
    private static final Set<String> KNOWN =
            Set.of("utf-8", "us-ascii", "ascii", "iso-8859-1", "utf-16", "utf-16le", "utf-16be");

    public static XmlContent of(HeldBody body, Headers fields) {
        return new XmlContent(
                body.plain(), charsetOf(fields.first("Content-Type").orElse("")));
    }

    /// What a `Content-Type` says, in lower case.
    public static Optional<String> charsetOf(String contentType) {
        Matcher charset = CHARSET.matcher(contentType);
        return charset.find() ? Optional.of(lower(charset.group(1))) : Optional.empty();
    }

    /// Whether XML in that encoding is read and written.
    ///
    /// @param charset in lower case
    public static boolean isKnown(String charset) {
        return KNOWN.contains(charset);
    }

    /// What is wrong with how its encoding is told.
    public Optional<Problem> flaw() {
        Optional<String> declared = declared();
        for (Optional<String> each : List.of(charset, declared)) {
            if (each.isPresent() && !KNOWN.contains(each.get())) return malformed("in an encoding that is not read");
        }
        boolean differ = charset.isPresent() && declared.isPresent() && !charset.equals(declared);
        return differ ? malformed("said to be in two encodings") : Optional.empty();
    }

    private Optional<String> declared() {
        String prolog = new String(bytes, 0, Math.min(bytes.length, PROLOG), StandardCharsets.ISO_8859_1);
        Matcher declared = DECLARED.matcher(prolog);
        return declared.find() ? Optional.of(lower(declared.group(1))) : Optional.empty();
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    /// What [Xml#reader] reads it from.
    public InputSource source() {
        if (charset.isEmpty() || charset.get().startsWith("utf-16")) return Xml.source(bytes); // a mark says which
        return Xml.source(bytes, charset.get());
    }

    /// Shows all of it to `handler`, comments too where it wants them.
    ///
    /// @throws SAXException what the handler throws; [BadXmlException] when it is not read
    public void read(ContentHandler handler) throws SAXException {
        XMLReader reader = Xml.reader();
        reader.setContentHandler(handler);
        if (handler instanceof LexicalHandler) reader.setProperty(Xml.LEXICAL_HANDLER, handler);
        try {
            reader.parse(source());
        } catch (IOException e) {
            throw new UncheckedIOException(e); // bytes at hand do not fail to come
        }
    }

    /// What a client is told of XML that is not read.
    public static Problem refusal(BadXmlException e) {
        String why = String.valueOf(e.getMessage());
        return switch (e.kind()) {
            case MALFORMED, REFUSED -> malformed(why).orElseThrow();
            case TOO_COMPLEX -> tooComplex(why);
        };
    }

    public static Problem tooComplex(String what) {
        return Problem.of("content-too-complex", 400, "Content too complex", "The XML has " + what);
    }

    static Problem tooComplex(XmlFinding finding) {
        return new Problem(
                "content-too-complex",
                400,
                "Content too complex",
                "The body is more complex than it may be",
                List.of(finding.told()));
    }

    private static Optional<Problem> malformed(String what) {
        return Optional.of(
                Problem.of("malformed-content", 400, "Malformed content", "The body is no XML that is taken: " + what));
    }
}
