package gateway.policies.identity;

import gateway.http.Body;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.policy.BodyAccess;
import gateway.policy.BodyUse;
import gateway.xml.BadXmlException;
import gateway.xml.Xml;
import gateway.xml.XmlText;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/// The `Security` header of a SOAP message.
record SamlSoap() implements SamlSource {
    private static final Set<String> TYPES = Set.of("text/xml", "application/soap+xml", "application/xml");
    private static final Pattern CHARSET = Pattern.compile(";\\s*charset=\"?([^\";\\s]*)\"?", Pattern.CASE_INSENSITIVE);

    /// What has neither cannot name what an assertion is named, in the encodings that most use.
    private static final byte[] NAME = "SAML".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] REFERENCE = "&#".getBytes(StandardCharsets.US_ASCII);

    @Override
    public BodyUse bodyUse() {
        return BodyUse.ofRequests(BodyAccess.plain(LONGEST).only((fields, _) -> isXml(fields)));
    }

    private static boolean isXml(Headers fields) {
        Optional<String> type = fields.first("Content-Type");
        return type.isPresent() && TYPES.contains(SamlForm.mediaType(type.get()));
    }

    /// What cannot be read may be one: then it is refused rather than passed on unseen.
    @Override
    public @Nullable String shownAt(Exchange exchange) {
        byte[] content = content(exchange);
        if (content.length == 0 || !mayBe(content)) return null;
        try {
            return SamlMessage.isIn(document(exchange, content)) ? "soap:Security" : null;
        } catch (BadAssertionException e) {
            return "soap:Security";
        }
    }

    private static boolean mayBe(byte[] content) {
        if (content[0] != '<') return true; // a blank, a byte order mark, another encoding
        for (int i = 0; i < content.length; i++) {
            if (content[i] == 0 || hasAt(content, i, NAME) || hasAt(content, i, REFERENCE)) return true;
        }
        return false;
    }

    private static boolean hasAt(byte[] content, int at, byte[] what) {
        if (at + what.length > content.length) return false;
        for (int i = 0; i < what.length; i++) if (content[at + i] != what[i]) return false;
        return true;
    }

    @Override
    public boolean mayHave(Exchange exchange) {
        return isXml(exchange.headers()) && exchange.held().isPresent();
    }

    @Override
    public Optional<SamlMessage> message(Exchange exchange) {
        byte[] content = content(exchange);
        if (content.length == 0) return Optional.empty();
        Document document = document(exchange, content);
        return SamlMessage.isIn(document) ? Optional.of(SamlMessage.ofEnvelope(document)) : Optional.empty();
    }

    private static byte[] content(Exchange exchange) {
        if (!isXml(exchange.headers()) || exchange.held().isEmpty()) return new byte[0];
        return exchange.held().get().plain();
    }

    private static Document document(Exchange exchange, byte[] content) {
        Matcher charset =
                CHARSET.matcher(exchange.headers().first("Content-Type").orElse(""));
        try {
            return charset.find() ? Xml.document(content, charset.group(1)) : Xml.document(content);
        } catch (BadXmlException e) {
            throw new BadAssertionException(AssertionFlaw.MALFORMED);
        }
    }

    /// With the `Security` header when nothing else was in it. What cannot be read stays as it is.
    @Override
    public void strip(Exchange exchange) {
        byte[] content = content(exchange);
        if (content.length == 0 || !mayBe(content)) return;
        try {
            strip(exchange, SamlMessage.ofEnvelope(document(exchange, content)));
        } catch (BadAssertionException e) {
            return; // no message with one assertion in its place
        }
    }

    @Override
    public void strip(Exchange exchange, SamlMessage message) {
        Node security = message.assertion().getParentNode();
        security.removeChild(message.assertion());
        if (SamlElement.children((Element) security).isEmpty())
            security.getParentNode().removeChild(security);
        send(exchange, XmlText.of(message.document()));
    }

    private static void send(Exchange exchange, byte[] content) {
        Headers headers = exchange.outgoing().headers();
        String type = headers.first("Content-Type").orElse("");
        exchange.outgoing().replaceBody(Body.of(content));
        headers.set("Content-Type", CHARSET.matcher(type).replaceAll("; charset=utf-8"));
    }
}
