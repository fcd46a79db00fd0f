package gateway.policies.message.xml;

import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.Problem;
import gateway.policies.message.ContentCheck;
import gateway.xml.BadXmlException;
import java.util.Optional;
import org.xml.sax.SAXException;

/// Bounds the XML of messages.
public record XmlLimitsCheck(XmlLimits limits) implements ContentCheck {
    @Override
    public Optional<Problem> check(HeldBody body, Headers fields, boolean answer) {
        return flaw(XmlContent.of(body, fields));
    }

    /// What is wrong with it.
    public Optional<Problem> flaw(XmlContent content) {
        Optional<Problem> flaw = content.flaw();
        if (flaw.isPresent()) return flaw;
        var nodes = new LimitedNodes(limits);
        try {
            content.read(nodes);
        } catch (BadXmlException e) {
            return Optional.of(XmlContent.refusal(e));
        } catch (StopReadingException e) {
            return nodes.flaw();
        } catch (SAXException e) {
            throw new IllegalStateException("neither the parser nor what counts throws another one", e);
        }
        return Optional.empty();
    }
}
