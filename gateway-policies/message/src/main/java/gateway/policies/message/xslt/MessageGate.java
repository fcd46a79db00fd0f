package gateway.policies.message.xslt;

import org.xml.sax.Attributes;
import org.xml.sax.SAXException;
import org.xml.sax.XMLReader;
import org.xml.sax.helpers.XMLFilterImpl;

/// Stands between the reader of a message and Saxon: looks at the clock, since Saxon goes over the namespaces that it
/// has met for each element, counts those, and refuses long numbers.
final class MessageGate extends XMLFilterImpl {
    private final MessageNamespaces namespaces;
    private final TransformBudget budget;
    private final LongNumbers numbers = new LongNumbers();

    MessageGate(XMLReader reader, MessageNamespaces namespaces, TransformBudget budget) {
        super(reader);
        this.namespaces = namespaces;
        this.budget = budget;
    }

    @Override
    public void startPrefixMapping(String prefix, String uri) throws SAXException {
        budget.step();
        namespaces.meet(uri);
        super.startPrefixMapping(prefix, uri);
    }

    @Override
    public void startElement(String uri, String local, String name, Attributes attributes) throws SAXException {
        budget.step();
        numbers.tag();
        for (int i = 0; i < attributes.getLength(); i++) numbers.attribute(attributes.getValue(i));
        super.startElement(uri, local, name, attributes);
    }

    @Override
    public void endElement(String uri, String local, String name) throws SAXException {
        numbers.tag();
        super.endElement(uri, local, name);
    }

    @Override
    public void characters(char[] piece, int start, int length) throws SAXException {
        numbers.text(piece, start, length);
        super.characters(piece, start, length);
    }
}
