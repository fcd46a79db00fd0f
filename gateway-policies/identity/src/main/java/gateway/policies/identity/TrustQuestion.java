package gateway.policies.identity;

import gateway.xml.BadXmlException;
import gateway.xml.Xml;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.w3c.dom.Element;

/// Asking whether a security token is valid, and what is answered (WS-Trust 1.4 §7; 1.3 says it in the same names).
final class TrustQuestion {
    static final String ACTION = "http://docs.oasis-open.org/ws-sx/ws-trust/200512/RST/Validate";

    private static final String TRUST = "http://docs.oasis-open.org/ws-sx/ws-trust/200512";
    private static final String ADDRESSING = "http://www.w3.org/2005/08/addressing";
    private static final SamlElement RESPONSE = trust("RequestSecurityTokenResponse");
    private static final SamlElement RESPONSES = trust("RequestSecurityTokenResponseCollection");

    private TrustQuestion() {}

    private static SamlElement trust(String name) {
        return new SamlElement(TRUST, name);
    }

    /// An envelope that asks.
    ///
    /// @param to where it is sent
    /// @param token an element that says itself what its prefixes mean
    static byte[] written(SoapVersion soap, String to, byte[] token) {
        String before =
                """
                <S:Envelope xmlns:S="%s" xmlns:a="%s"><S:Header><a:Action>%s</a:Action>\
                <a:MessageID>urn:uuid:%s</a:MessageID><a:To>%s</a:To></S:Header><S:Body>\
                <t:RequestSecurityToken xmlns:t="%s"><t:TokenType>%s/RSTR/Status</t:TokenType>\
                <t:RequestType>%s/Validate</t:RequestType><t:ValidateTarget>""".formatted(soap.namespace(), ADDRESSING, ACTION, UUID.randomUUID(), text(to), TRUST, TRUST, TRUST);
        String after = "</t:ValidateTarget></t:RequestSecurityToken></S:Body></S:Envelope>";
        byte[] begin = before.getBytes(StandardCharsets.UTF_8);
        byte[] end = after.getBytes(StandardCharsets.UTF_8);
        var whole = new byte[begin.length + token.length + end.length];
        System.arraycopy(begin, 0, whole, 0, begin.length);
        System.arraycopy(token, 0, whole, begin.length, token.length);
        System.arraycopy(end, 0, whole, begin.length + token.length, end.length);
        return whole;
    }

    private static String text(String url) {
        return url.replace("&", "&amp;");
    }

    /// Whether an answer says that the token is valid; empty when it says neither that nor that it is not.
    static Optional<Boolean> verdict(byte[] answer) {
        try {
            Element envelope = Xml.document(answer).getDocumentElement();
            Optional<SoapVersion> soap = SoapVersion.of(String.valueOf(envelope.getNamespaceURI()));
            if (soap.isEmpty()) return Optional.empty();
            String namespace = soap.get().namespace();
            if (!new SamlElement(namespace, "Envelope").is(envelope)) return Optional.empty();
            Element body = new SamlElement(namespace, "Body").onlyIn(envelope, AssertionFlaw.STRUCTURE);
            List<Element> told = SamlElement.children(body);
            if (told.size() != 1) return Optional.empty();
            Element response = RESPONSES.is(told.getFirst())
                    ? RESPONSE.onlyIn(told.getFirst(), AssertionFlaw.STRUCTURE)
                    : told.getFirst();
            if (!RESPONSE.is(response)) return Optional.empty();
            Element status = trust("Status").onlyIn(response, AssertionFlaw.STRUCTURE);
            return valid(SamlElement.text(trust("Code").onlyIn(status, AssertionFlaw.STRUCTURE)));
        } catch (BadXmlException | BadAssertionException e) {
            return Optional.empty(); // no verdict, and none on the caller's assertion
        }
    }

    private static Optional<Boolean> valid(String code) {
        return switch (code) {
            case TRUST + "/status/valid" -> Optional.of(true);
            case TRUST + "/status/invalid" -> Optional.of(false);
            default -> Optional.empty();
        };
    }
}
