package gateway.policies.identity;

import gateway.policies.cryptography.XmlSignatureAlgorithm;
import gateway.xml.BadXmlException;
import gateway.xml.Xml;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/// What an identity provider tells of itself (SAML 2.0 Metadata §2). Whoever stores it vouches for it, as for
/// certificates: its own signature and end say nothing more there. Of what is fetched they count.
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
            return signers(
                    Xml.document(metadata.getBytes(StandardCharsets.UTF_8), "UTF-8")
                            .getDocumentElement(),
                    entity);
        } catch (BadXmlException | BadAssertionException e) {
            return Optional.empty();
        }
    }

    /// The same of metadata that a server tells, which has to be good at `now`.
    ///
    /// @param signedBy of whom one has to have signed it as a whole, and of what is signed alone it is read; empty:
    ///     nobody has to
    static Optional<List<SamlSigner>> fetched(byte[] metadata, String entity, List<SamlSigner> signedBy, Instant now) {
        try {
            Document document = Xml.document(metadata);
            Element root = document.getDocumentElement();
            if (!signedBy.isEmpty()) {
                root = new AssertionSignature(EnumSet.allOf(XmlSignatureAlgorithm.class))
                        .verified(new SamlMessage(document, root, root), signedBy);
            }
            return isOver(root, entity, now) ? Optional.empty() : signers(root, entity);
        } catch (BadXmlException | BadAssertionException e) {
            return Optional.empty();
        }
    }

    private static Optional<List<SamlSigner>> signers(Element root, String entity) {
        var found = new ArrayList<SamlSigner>();
        for (Element each : entities(root)) {
            if (each.getAttribute("entityID").equals(entity)) add(each, found);
        }
        return found.isEmpty()
                ? Optional.empty()
                : Optional.of(found.stream().distinct().toList());
    }

    /// Whether it says so as a whole, of `entity` or of that as a provider; a time that is none is over.
    private static boolean isOver(Element root, String entity, Instant now) {
        for (Element each : entities(root)) {
            if (!each.getAttribute("entityID").equals(entity)) continue;
            if (isOver(each, now)) return true;
            for (Element provider : PROVIDER.allIn(each)) if (isOver(provider, now)) return true;
        }
        return isOver(root, now);
    }

    private static boolean isOver(Element element, Instant now) {
        String end = element.getAttribute("validUntil");
        try {
            return !end.isEmpty() && !now.isBefore(OffsetDateTime.parse(end).toInstant());
        } catch (DateTimeException e) {
            return true;
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
