package gateway.policies.message.filter;

import gateway.http.Problem;
import gateway.policies.message.xml.XmlContent;
import gateway.xml.BadXmlException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;
import org.xml.sax.Attributes;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/// Tells the values of XML as those read them who get it: attributes, namespaces, and what stands between two tags as
/// one, whatever references, comments and `CDATA` it is made of.
final class XmlValues extends DefaultHandler {
    private final Consumer<String> values;
    private final StringBuilder text = new StringBuilder();

    private XmlValues(Consumer<String> values) {
        this.values = values;
    }

    /// @param values gets each of them
    /// @return what a client is told of XML that is not read
    static Optional<Problem> tell(byte[] xml, Consumer<String> values) {
        try {
            new XmlContent(xml, Optional.of(StandardCharsets.UTF_8.name())).read(new XmlValues(values));
            return Optional.empty();
        } catch (BadXmlException e) {
            return Optional.of(XmlContent.refusal(e));
        } catch (SAXException e) {
            throw new IllegalStateException("the parser throws no other one", e);
        }
    }

    @Override
    public void startPrefixMapping(String prefix, String uri) {
        values.accept(uri);
    }

    @Override
    public void startElement(String uri, String local, String name, Attributes attributes) {
        textEnds();
        for (int i = 0; i < attributes.getLength(); i++) values.accept(attributes.getValue(i));
    }

    @Override
    public void endElement(String uri, String local, String name) {
        textEnds();
    }

    @Override
    public void characters(char[] piece, int start, int length) {
        text.append(piece, start, length);
    }

    private void textEnds() {
        if (text.isEmpty()) return;
        values.accept(text.toString());
        text.setLength(0);
    }
}
