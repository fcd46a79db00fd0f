package gateway.policies.identity;

import gateway.xml.BadXmlException;
import gateway.xml.Xml;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.w3c.dom.Element;

/// What an identity provider tells of itself (SAML 2.0 Metadata §2). Whoever stores it vouches for it, as for
/// certificates; its own signature and end say nothing more.
final class SamlMetadata {
    private static final String NAMESPACE = "urn:oasis:names:tc:SAML:2.0:metadata";
    private static final SamlElement ENTITIES = new SamlElement(NAMESPACE, "EntitiesDescriptor");
    private static final SamlElement ENTITY = new SamlElement(NAMESPACE, "EntityDescriptor");
    private static final SamlElement PROVIDER = new SamlElement(NAMESPACE, "IDPSSODescriptor");
    private static final SamlElement KEY = new SamlElement(NAMESPACE, "KeyDescriptor");

    private SamlMetadata() {}

    /// Who signs for `entity`; empty: nobody, or keys that may not sign.
    static Optional<List<SamlSigner>> signers(String metadata, String entity) {
        try {
            Element root = Xml.document(metadata.getBytes(StandardCharsets.UTF_8), "UTF-8")
                    .getDocumentElement();
            var found = new ArrayList<SamlSigner>();
            for (Element each : entities(root)) {
                if (each.getAttribute("entityID").equals(entity)) add(each, found);
            }
            return found.isEmpty()
                    ? Optional.empty()
                    : Optional.of(found.stream().distinct().toList());
        } catch (BadXmlException | BadAssertionException e) {
            return Optional.empty();
        }
    }

    private static List<Element> entities(Element root) {
        if (ENTITY.is(root)) return List.of(root);
        return ENTITIES.is(root) ? ENTITY.allIn(root) : List.of();
    }

    private static void add(Element entity, List<SamlSigner> to) {
        for (Element provider : PROVIDER.allIn(entity)) {
            for (Element key : KEY.allIn(provider)) {
                if (key.getAttribute("use").equals("encryption")) continue;
                for (Element info : SamlElement.dsig("KeyInfo").allIn(key)) {
                    for (Element data : SamlElement.dsig("X509Data").allIn(info)) addCertificates(data, to);
                }
            }
        }
    }

    private static void addCertificates(Element data, List<SamlSigner> to) {
        for (Element each : SamlElement.dsig("X509Certificate").allIn(data)) {
            to.add(SamlSigner.readBase64(SamlElement.text(each))
                    .orElseThrow(() -> new BadAssertionException(AssertionFlaw.UNKNOWN_KEY)));
        }
    }
}
