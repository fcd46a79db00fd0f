package gateway.policies.message.wss;

import gateway.policies.cryptography.SignedInfoBounds;
import gateway.policies.cryptography.XmlSignatureAlgorithm;
import gateway.policies.message.xml.XmlTrees;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/// A signature as it stands in a message, its value not yet verified: of exactly this form, so that there is nothing in
/// it that two readers could read in two ways.
///
/// @param targets ids of the elements that are signed
record SoapSignatureForm(Element signature, XmlSignatureAlgorithm algorithm, List<Attr> targets) {
    static final String EXCLUSIVE = "http://www.w3.org/2001/10/xml-exc-c14n#";
    private static final String ENVELOPED = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";
    private static final int MOST_REFERENCES = 20;

    SoapSignatureForm {
        targets = List.copyOf(targets);
    }

    /// @param allowed by which it may be made
    /// @throws BadSecurityException when it is of another form
    static SoapSignatureForm read(Element signature, SoapMessage message, Set<XmlSignatureAlgorithm> allowed) {
        List<Element> parts = XmlTrees.children(signature);
        boolean plain = parts.size() >= 2
                && parts.size() <= 3
                && SecurityName.dsig("SignedInfo").is(parts.getFirst())
                && SecurityName.dsig("SignatureValue").is(parts.get(1))
                && (parts.size() == 2 || SecurityName.KEY_INFO.is(parts.get(2)));
        if (!plain) throw new BadSecurityException(SecurityFlaw.STRUCTURE);
        List<Element> info = XmlTrees.children(parts.getFirst());
        if (info.size() < 3 || info.size() > 2 + MOST_REFERENCES)
            throw new BadSecurityException(SecurityFlaw.STRUCTURE);
        if (!SignedInfoBounds.holds(parts.getFirst())) throw new BadSecurityException(SecurityFlaw.STRUCTURE);
        requireName("CanonicalizationMethod", info.getFirst());
        requireName("SignatureMethod", info.get(1));
        if (!SignedInfoBounds.isExclusive(info.getFirst())) throw new BadSecurityException(SecurityFlaw.ALGORITHM);
        XmlSignatureAlgorithm algorithm = XmlSignatureAlgorithm.called(algorithm(info.get(1)))
                .filter(allowed::contains)
                .orElseThrow(() -> new BadSecurityException(SecurityFlaw.ALGORITHM));
        var targets = new ArrayList<Attr>();
        for (Element each : info.subList(2, info.size())) targets.add(target(each, message));
        SecurityName.text(parts.get(1));
        return new SoapSignatureForm(signature, algorithm, targets);
    }

    private static void requireName(String local, Element element) {
        if (!SecurityName.dsig(local).is(element)) throw new BadSecurityException(SecurityFlaw.STRUCTURE);
    }

    private static Attr target(Element reference, SoapMessage message) {
        requireName("Reference", reference);
        List<Element> parts = XmlTrees.children(reference);
        if (parts.size() != 3) throw new BadSecurityException(SecurityFlaw.STRUCTURE);
        requireName("Transforms", parts.getFirst());
        requireName("DigestMethod", parts.get(1));
        requireName("DigestValue", parts.get(2));
        SecurityName.text(parts.get(2));
        List<Element> transforms = XmlTrees.children(parts.getFirst());
        for (Element each : transforms) requireName("Transform", each);
        boolean taken = switch (transforms.size()) {
            case 1 -> SignedInfoBounds.isExclusive(transforms.getFirst());
            case 2 -> isEnveloped(transforms.getFirst()) && SignedInfoBounds.isExclusive(transforms.getLast());
            default -> false;
        };
        if (!taken || !XmlSignatureAlgorithm.isDigest(algorithm(parts.get(1)))) {
            throw new BadSecurityException(SecurityFlaw.ALGORITHM);
        }
        Attr id = message.referred(reference.getAttributeNS(null, "URI"));
        refuseComments(id.getOwnerElement()); // which are not signed
        return id;
    }

    /// It takes the signature out of what is digested, which has no place in what may be signed.
    private static boolean isEnveloped(Element transform) {
        return algorithm(transform).equals(ENVELOPED)
                && XmlTrees.children(transform).isEmpty();
    }

    private static String algorithm(Element method) {
        return method.getAttributeNS(null, "Algorithm");
    }

    /// Two readers of `admin<!---->.evil` may read two names.
    private static void refuseComments(Node node) {
        if (node.getNodeType() == Node.COMMENT_NODE) throw new BadSecurityException(SecurityFlaw.COMMENT);
        for (Node each = node.getFirstChild(); each != null; each = each.getNextSibling()) refuseComments(each);
    }
}
