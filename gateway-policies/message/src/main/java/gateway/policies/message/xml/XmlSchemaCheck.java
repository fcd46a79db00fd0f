package gateway.policies.message.xml;

import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.Problem;
import gateway.policies.message.ContentCheck;
import gateway.xml.BadXmlException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.xml.sax.SAXException;

/// Validates the XML of messages.
///
/// @param roots that the part may have; one at least
/// @param status of what does not hold
record XmlSchemaCheck(XmlGrammar grammar, XmlPart part, Set<XmlName> roots, XmlBounds bounds, int status)
        implements ContentCheck {
    XmlSchemaCheck {
        roots = Set.copyOf(roots);
    }

    @Override
    public Optional<Problem> check(HeldBody body, Headers fields, boolean answer) {
        XmlContent content = XmlContent.of(body, fields);
        Optional<Problem> flaw = content.flaw();
        if (flaw.isPresent()) return flaw;
        var validation = new PartValidation(this, answer);
        try {
            content.read(validation);
        } catch (BadXmlException e) {
            return Optional.of(XmlContent.refusal(e));
        } catch (StopReadingException e) {
            if (!validation.tooMuch().isEmpty()) return Optional.of(XmlContent.tooComplex(validation.tooMuch()));
        } catch (SAXException e) {
            throw new IllegalStateException("neither the parser nor the validator throws another one", e);
        }
        return invalid(validation.findings());
    }

    private Optional<Problem> invalid(List<XmlFinding> findings) {
        if (findings.isEmpty()) return Optional.empty();
        return Optional.of(new Problem(
                "invalid-content",
                status,
                "Invalid content",
                "The XML is not as the schema says",
                findings.stream().map(XmlFinding::told).toList()));
    }
}
