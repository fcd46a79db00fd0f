package gateway.policies.message.convert;

import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.Problem;
import gateway.json.TextCut;
import gateway.policies.message.xml.Soap;
import gateway.policies.message.xml.XmlTrees;
import gateway.policy.Template;
import java.util.List;
import java.util.Optional;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.Text;

/// Envelopes of one version of SOAP.
///
/// @param action what the service is asked to do, for `SOAPAction` or its like
record SoapWrapping(Soap soap, Template action) {
    private static final String ACTION = "SOAPAction";
    private static final int LONGEST = 500;

    void open(XmlWriting text) {
        text.markup("<soap:Envelope");
        text.attribute("xmlns:soap", soap.namespace());
        text.markup("><soap:Body>");
    }

    void close(XmlWriting text) {
        text.markup("</soap:Body></soap:Envelope>");
    }

    /// Says of a message that it is an envelope.
    String contentType() {
        return switch (soap) {
            case SOAP11 -> "text/xml; charset=utf-8";
            case SOAP12 -> "application/soap+xml; charset=utf-8";
        };
    }

    /// Says of a request what its service is asked to do.
    ///
    /// @return its `Content-Type`
    String tell(Headers fields, Exchange exchange) {
        String what = action.render(exchange).replace("\"", "%22").replace("\\", "%5C");
        return switch (soap) {
            case SOAP11 -> {
                fields.set(ACTION, '"' + what + '"'); // SOAP 1.1 §6.1.1: always there
                yield contentType();
            }
            case SOAP12 -> {
                fields.remove(ACTION);
                yield what.isEmpty() ? contentType() : contentType() + "; action=\"" + what + '"';
            }
        };
    }

    /// Says of a request that it is no envelope any more.
    static void untell(Headers fields) {
        fields.remove(ACTION);
    }

    /// The one element in the body of an envelope; empty: there is none.
    ///
    /// @throws InconvertibleException when it is no envelope of this version, or asks for more than opening it
    Optional<Element> content(Element envelope) {
        if (!XmlTrees.is(envelope, soap.namespace(), Soap.ENVELOPE)) {
            throw new InconvertibleException("", "expected an Envelope of the SOAP that is configured");
        }
        for (Element header : XmlTrees.children(envelope, soap.namespace(), Soap.HEADER)) {
            if (XmlTrees.children(header).stream().anyMatch(this::mustBeUnderstood)) {
                throw new InconvertibleException("/Envelope/Header", "an entry that has to be understood");
            }
        }
        List<Element> bodies = XmlTrees.children(envelope, soap.namespace(), Soap.BODY);
        List<Element> inside = bodies.size() == 1 ? XmlTrees.children(bodies.getFirst()) : List.of();
        if (bodies.size() != 1 || inside.size() > 1 || hasText(envelope) || hasText(bodies.getFirst())) {
            throw new InconvertibleException("/Envelope/Body", "expected one body with one element");
        }
        return inside.stream().findFirst();
    }

    /// Whether something stands between its elements that nobody would see again.
    private static boolean hasText(Element parent) {
        for (Node each = parent.getFirstChild(); each != null; each = each.getNextSibling()) {
            if (each instanceof Text text && !text.getData().isBlank()) return true;
        }
        return false;
    }

    private boolean mustBeUnderstood(Element entry) {
        String said = entry.getAttributeNS(soap.namespace(), "mustUnderstand").strip();
        return said.equals("1") || said.equals("true");
    }

    /// What is to be told instead of a fault.
    Optional<Problem> problem(Element content) {
        if (!XmlTrees.is(content, soap.namespace(), Soap.FAULT)) return Optional.empty();
        boolean first = soap == Soap.SOAP11;
        String code = first ? text(content, "", "faultcode") : text(content, soap.namespace(), "Code", "Value");
        String reason = first ? text(content, "", "faultstring") : text(content, soap.namespace(), "Reason", "Text");
        String name = code.substring(code.indexOf(':') + 1);
        boolean ofClient = name.equals("Client") || name.startsWith("Client.") || name.equals("Sender");
        return Optional.of(Problem.of(
                "soap-fault", ofClient ? 400 : 502, "The service reports a fault", TextCut.told(reason, LONGEST)));
    }

    private static String text(Element from, String namespace, String... names) {
        Element at = from;
        for (String each : names) {
            List<Element> found = XmlTrees.children(at, namespace, each);
            if (found.isEmpty()) return "";
            at = found.getFirst();
        }
        return at.getTextContent().strip();
    }

    /// Says that something has failed.
    ///
    /// @param status of the answer that is no success
    /// @param reason for people
    /// @return the status that an answer with it has
    int fault(int status, String reason, XmlWriting text) {
        boolean ofClient = status < 500;
        open(text);
        switch (soap) {
            case SOAP11 -> {
                text.markup("<soap:Fault><faultcode>soap:" + (ofClient ? "Client" : "Server")
                        + "</faultcode><faultstring>");
                text.text(reason);
                text.markup("</faultstring></soap:Fault>");
            }
            case SOAP12 -> {
                text.markup("<soap:Fault><soap:Code><soap:Value>soap:" + (ofClient ? "Sender" : "Receiver"));
                text.markup("</soap:Value></soap:Code><soap:Reason><soap:Text xml:lang=\"en\">");
                text.text(reason);
                text.markup("</soap:Text></soap:Reason></soap:Fault>");
            }
        }
        close(text);
        return ofClient && soap == Soap.SOAP12 ? 400 : 500; // SOAP 1.1 §6.2, SOAP 1.2 Part 2 §7.5.2.2
    }
}
