package gateway.policies.message.xslt;

import org.xml.sax.Attributes;
import org.xml.sax.SAXException;
import org.xml.sax.XMLReader;
import org.xml.sax.helpers.XMLFilterImpl;

/// Stands between the reader of a message and Saxon: looks at the clock, since Saxon goes over the namespaces that it
/// has met for each element, counts those, and refuses long rows.
final class MessageGate extends XMLFilterImpl {
    private final MessageNamespaces namespaces;
    private final TransformBudget budget;
    private final LongRows rows = new LongRows();

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
        rows.tag();
        for (int i = 0; i < attributes.getLength(); i++) rows.attribute(attributes.getValue(i));
        super.startElement(uri, local, name, attributes);
    }

    @Override
    public void endElement(String uri, String local, String name) throws SAXException {
        rows.tag();
        super.endElement(uri, local, name);
    }

    @Override
    public void characters(char[] piece, int start, int length) throws SAXException {
        rows.text(piece, start, length);
        super.characters(piece, start, length);
    }
}
