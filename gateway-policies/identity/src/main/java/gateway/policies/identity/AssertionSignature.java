package gateway.policies.identity;

import gateway.policies.cryptography.SignedInfoBounds;
import gateway.policies.cryptography.XmlSignatureAlgorithm;
import gateway.policies.cryptography.XmlSignatures;
import gateway.xml.BadXmlException;
import gateway.xml.Xml;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.xml.crypto.dsig.Reference;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/// Verifies who has signed a message (XML Signature 1.1, SAML 2.0 Core §5), and answers what was signed: a tree that is
/// parsed from the very bytes whose digest was right. Whatever else the message holds is gone from then on.
record AssertionSignature(Set<XmlSignatureAlgorithm> algorithms) {
    private static final String ENVELOPED = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";

    private static final SamlElement CERTIFICATE = SamlElement.dsig("X509Certificate");

    /// Others name a key that lies elsewhere.
    private static final Set<String> TAKEN_OF_KEYS = Set.of("X509Data", "KeyValue", "KeyName");

    AssertionSignature {
        algorithms = Set.copyOf(algorithms);
    }

    /// What is signed of `message`, the response or the assertion alone; both signatures have to hold where there are
    /// two.
    ///
    /// @param signers whose keys may sign; what a message shows of keys only chooses among them
    /// @throws BadAssertionException when nothing is, or not by one who may
    Element verified(SamlMessage message, List<SamlSigner> signers) {
        List<Element> found = new ArrayList<>();
        add(message.outer(), found);
        if (found.isEmpty()) throw new BadAssertionException(AssertionFlaw.UNSIGNED);
        Set<Node> signed = new HashSet<>();
        for (Element each : found) {
            Node target = each.getParentNode();
            boolean mayBe = target.isSameNode(message.outer()) || target.isSameNode(message.assertion());
            if (!mayBe || !signed.add(target)) throw new BadAssertionException(AssertionFlaw.STRUCTURE);
        }
        byte[] bytes = {};
        Element last = message.outer();
        for (Element each : found) { // the response's stands before that of the assertion in it, or behind it
            Element target = (Element) each.getParentNode();
            byte[] digested = verified(each, target, signers);
            if (bytes.length == 0 || target.isSameNode(message.assertion())) {
                bytes = digested;
                last = target;
            }
        }
        return read(bytes, last);
    }

    private static void add(Element element, List<Element> to) {
        if (SamlElement.SIGNATURE.is(element)) to.add(element);
        for (Element each : SamlElement.children(element)) add(each, to);
    }

    /// @param target as it stood in the message: what was digested has to be that
    private static Element read(byte[] digested, Element target) {
        try {
            Element root = Xml.document(digested).getDocumentElement();
            boolean same = new SamlElement(target.getNamespaceURI(), target.getLocalName()).is(root)
                    && root.getAttribute("ID").equals(target.getAttribute("ID"));
            if (same) return root;
        } catch (BadXmlException e) {
            // told below: a digest of nothing is that of no assertion
        }
        throw new BadAssertionException(AssertionFlaw.STRUCTURE);
    }

    private byte[] verified(Element signature, Element target, List<SamlSigner> signers) {
        XmlSignatureAlgorithm algorithm = checkForm(signature, target);
        List<byte[]> shown = certificates(signature);
        boolean tried = false;
        for (SamlSigner each : signers) {
            if (!algorithm.fits(each.kind()) || (!shown.isEmpty() && !each.isAmong(shown))) continue;
            tried = true;
            byte[] digested = verified(signature, target, each);
            if (digested.length > 0) return digested;
        }
        // One that shows no key may be by one that is not known yet.
        throw new BadAssertionException(
                tried && !shown.isEmpty() ? AssertionFlaw.SIGNATURE : AssertionFlaw.UNKNOWN_KEY);
    }

    /// What was digested; nothing when the signature does not hold.
    private static byte[] verified(Element signature, Element target, SamlSigner signer) {
        List<Reference> references =
                XmlSignatures.verified(signature, signer.key(), List.of(target.getAttributeNodeNS(null, "ID")));
        if (references.isEmpty()) return new byte[0];
        try (InputStream digested = references.getFirst().getDigestInputStream()) {
            return digested == null ? new byte[0] : digested.readAllBytes();
        } catch (IOException e) {
            throw new IllegalStateException("bytes at hand do not fail to come", e);
        }
    }

    /// Exactly what a signature of SAML is made of: there is nothing in it that two readers could read in two ways.
    private XmlSignatureAlgorithm checkForm(Element signature, Element target) {
        List<Element> parts = expect(signature, 2, 3, "SignedInfo", "SignatureValue", "KeyInfo");
        List<Element> signed = expect(parts.getFirst(), 3, 3, "CanonicalizationMethod", "SignatureMethod", "Reference");
        if (!SignedInfoBounds.holds(parts.getFirst())) throw new BadAssertionException(AssertionFlaw.STRUCTURE);
        Element reference = signed.getLast();
        List<Element> referred = expect(reference, 3, 3, "Transforms", "DigestMethod", "DigestValue");
        checkTarget(reference, target);
        checkTransforms(referred.getFirst());
        if (!SignedInfoBounds.isExclusive(signed.getFirst())
                || !XmlSignatureAlgorithm.isDigest(algorithm(referred.get(1)))) {
            throw new BadAssertionException(AssertionFlaw.ALGORITHM);
        }
        SamlElement.text(referred.get(2));
        SamlElement.text(parts.get(1));
        return XmlSignatureAlgorithm.called(algorithm(signed.get(1)))
                .filter(algorithms::contains)
                .orElseThrow(() -> new BadAssertionException(AssertionFlaw.ALGORITHM));
    }

    /// The children of `parent` are these, in this order; the last of them may be missing.
    private static List<Element> expect(Element parent, int least, int most, String... names) {
        List<Element> children = SamlElement.children(parent);
        boolean fits = children.size() >= least && children.size() <= most;
        for (int i = 0; fits && i < children.size(); i++) {
            fits = SamlElement.dsig(names[i]).is(children.get(i));
        }
        if (!fits) throw new BadAssertionException(AssertionFlaw.STRUCTURE);
        return children;
    }

    /// The element around the signature, by its `ID`, which no other element has.
    private static void checkTarget(Element reference, Element target) {
        String id = target.getAttributeNS(null, "ID");
        if (id.isEmpty() || !reference.getAttributeNS(null, "URI").equals("#" + id)) {
            throw new BadAssertionException(AssertionFlaw.STRUCTURE);
        }
    }

    private static void checkTransforms(Element transforms) {
        List<Element> both = expect(transforms, 2, 2, "Transform", "Transform");
        boolean plain = algorithm(both.getFirst()).equals(ENVELOPED)
                && SamlElement.children(both.getFirst()).isEmpty();
        if (!plain || !SignedInfoBounds.isExclusive(both.getLast()))
            throw new BadAssertionException(AssertionFlaw.ALGORITHM);
    }

    private static String algorithm(Element method) {
        return method.getAttributeNS(null, "Algorithm");
    }

    /// Those that the message shows; none: it does not say by which key it is signed.
    private static List<byte[]> certificates(Element signature) {
        var found = new ArrayList<byte[]>();
        SamlElement.dsig("KeyInfo").in(signature).ifPresent(info -> {
            for (Element each : SamlElement.children(info)) {
                boolean taken =
                        SamlElement.dsig(each.getLocalName()).is(each) && TAKEN_OF_KEYS.contains(each.getLocalName());
                if (!taken) throw new BadAssertionException(AssertionFlaw.STRUCTURE);
                addCertificates(each, found);
            }
        });
        return found;
    }

    /// @param data `X509Data`, or another element that has none
    static void addCertificates(Element data, List<byte[]> to) {
        for (Element each : CERTIFICATE.allIn(data)) to.add(certificate(each));
    }

    /// Whether `element` shows the certificate of one of them.
    static boolean isCertificateOf(Element element, List<SamlSigner> signers) {
        if (!CERTIFICATE.is(element)) return false;
        List<byte[]> shown = List.of(certificate(element));
        for (SamlSigner each : signers) if (each.isAmong(shown)) return true;
        return false;
    }

    private static byte[] certificate(Element element) {
        try {
            return Base64.getMimeDecoder().decode(SamlElement.text(element));
        } catch (IllegalArgumentException e) {
            throw new BadAssertionException(AssertionFlaw.MALFORMED); // no Base64
        }
    }
}
