package gateway.policies.identity;

import gateway.xml.BadXmlException;
import gateway.xml.Xml;
import gateway.xml.XmlText;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.Signature;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import javax.xml.crypto.MarshalException;
import javax.xml.crypto.dsig.Transform;
import javax.xml.crypto.dsig.XMLSignatureException;
import javax.xml.crypto.dsig.XMLSignatureFactory;
import javax.xml.crypto.dsig.dom.DOMSignContext;
import javax.xml.crypto.dsig.spec.C14NMethodParameterSpec;
import javax.xml.crypto.dsig.spec.TransformParameterSpec;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/// Writes assertions, and signs them with the JDK alone, whatever they say.
public final class SamlSmith {
    static final String EXCLUSIVE = "http://www.w3.org/2001/10/xml-exc-c14n#";

    private final KeyPair pair;
    private final byte[] certificate;

    private SamlSmith(KeyPair pair) {
        this.pair = pair;
        this.certificate = certificate(pair);
    }

    /// With a new key.
    public static SamlSmith rsa(int bits) {
        return new SamlSmith(pair("RSA", bits));
    }

    public static SamlSmith ec() {
        return new SamlSmith(pair("EC", 256));
    }

    private static KeyPair pair(String kind, int bits) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(kind);
            generator.initialize(bits);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    public String pem() {
        return "-----BEGIN CERTIFICATE-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate)
                + "\n-----END CERTIFICATE-----\n";
    }

    PublicKey publicKey() {
        return pair.getPublic();
    }

    /// For programs of other makers.
    public String privatePem() {
        return "-----BEGIN PRIVATE KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'})
                        .encodeToString(pair.getPrivate().getEncoded())
                + "\n-----END PRIVATE KEY-----\n";
    }

    /// The certificate.
    public String base64() {
        return Base64.getEncoder().encodeToString(certificate);
    }

    /// Of `alice` in the groups `readers` and `writers`, for `urn:orders`, for five minutes, unsigned.
    ///
    /// @param id of two or more letters
    public static String assertion(String id, Instant now) {
        Instant at = now.truncatedTo(ChronoUnit.SECONDS);
        return """
                <saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="%s" IssueInstant="%s" Version="2.0">\
                <saml:Issuer>https://idp.example.com</saml:Issuer><saml:Subject><saml:NameID>alice</saml:NameID>\
                <saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">\
                <saml:SubjectConfirmationData NotOnOrAfter="%s" Recipient="https://api.example.com/orders"/>\
                </saml:SubjectConfirmation></saml:Subject>\
                <saml:Conditions NotBefore="%s" NotOnOrAfter="%s"><saml:AudienceRestriction>\
                <saml:Audience>urn:orders</saml:Audience></saml:AudienceRestriction></saml:Conditions>\
                <saml:AuthnStatement AuthnInstant="%s" SessionIndex="s1"/>\
                <saml:AttributeStatement><saml:Attribute Name="groups"><saml:AttributeValue>readers</saml:AttributeValue>\
                <saml:AttributeValue>writers</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>\
                </saml:Assertion>""".formatted(id, at, at.plusSeconds(300), at, at.plusSeconds(300), at);
    }

    /// A response around `assertion`, unsigned.
    public static String response(String assertion, Instant now) {
        return """
                <samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="response" Version="2.0" \
                IssueInstant="%s" Destination="https://api.example.com/orders">\
                <saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">https://idp.example.com</saml:Issuer>\
                <samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>\
                %s</samlp:Response>""".formatted(now.truncatedTo(ChronoUnit.SECONDS), assertion);
    }

    /// A SOAP message with `security` in its `Security` header.
    public static String envelope(String security) {
        return """
                <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Header>\
                <w:Security xmlns:w="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd">\
                %s</w:Security></s:Header><s:Body><order id="7"/><line id="7"/></s:Body></s:Envelope>""".formatted(security);
    }

    /// What `https://idp.example.com` tells of itself when these are its keys.
    ///
    /// @param attributes of its outermost element
    public static String metadata(String attributes, SamlSmith... keys) {
        var descriptors = new StringBuilder();
        for (SamlSmith each : keys) {
            descriptors.append("""
                    <md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">\
                    <ds:X509Data><ds:X509Certificate>%s</ds:X509Certificate></ds:X509Data></ds:KeyInfo>\
                    </md:KeyDescriptor>""".formatted(each.base64()));
        }
        return """
                <md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" %s \
                entityID="https://idp.example.com"><md:Extensions/><md:IDPSSODescriptor \
                protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">%s</md:IDPSSODescriptor>\
                </md:EntityDescriptor>""".formatted(attributes, descriptors);
    }

    /// `text` with the element whose `ID` is `id` signed, as issuers do.
    public String sign(String text, String id) {
        String method = pair.getPrivate().getAlgorithm().equals("RSA") ? "rsa-sha256" : "ecdsa-sha256";
        return sign(
                text,
                id,
                "http://www.w3.org/2001/04/xmldsig-more#" + method,
                "http://www.w3.org/2001/04/xmlenc#sha256",
                "#" + id,
                List.of(Transform.ENVELOPED, EXCLUSIVE));
    }

    /// The same by other means.
    String sign(String text, String id, String method, String digest, String reference, List<String> transforms) {
        try {
            Document document = Xml.document(text.getBytes(StandardCharsets.UTF_8));
            Element target = withId(document.getDocumentElement(), id);
            target.setIdAttributeNS(null, "ID", true);
            XMLSignatureFactory factory = XMLSignatureFactory.getInstance("DOM");
            var steps = new ArrayList<Transform>();
            for (String each : transforms) steps.add(factory.newTransform(each, (TransformParameterSpec) null));
            var signed = factory.newSignedInfo(
                    factory.newCanonicalizationMethod(EXCLUSIVE, (C14NMethodParameterSpec) null),
                    factory.newSignatureMethod(method, null),
                    List.of(factory.newReference(reference, factory.newDigestMethod(digest, null), steps, null, null)));
            var context = new DOMSignContext(
                    pair.getPrivate(), target, target.getFirstChild().getNextSibling());
            context.setDefaultNamespacePrefix("ds");
            context.setProperty("org.jcp.xml.dsig.secureValidation", false); // to sign what is refused
            factory.newXMLSignature(signed, null).sign(context);
            return new String(XmlText.of(document), StandardCharsets.UTF_8);
        } catch (BadXmlException | GeneralSecurityException | MarshalException | XMLSignatureException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Element withId(Element element, String id) {
        if (element.getAttribute("ID").equals(id)) return element;
        for (Node each = element.getFirstChild(); each != null; each = each.getNextSibling()) {
            if (!(each instanceof Element child)) continue;
            Element found = withId(child, id);
            if (found.getAttribute("ID").equals(id)) return found;
        }
        return element;
    }

    private static byte[] certificate(KeyPair pair) {
        boolean rsa = pair.getPrivate().getAlgorithm().equals("RSA");
        byte[] algorithm = HexFormat.of().parseHex(rsa ? "300d06092a864886f70d01010b0500" : "300a06082a8648ce3d040302");
        byte[] name = der(0x30, der(0x31, der(0x30, HexFormat.of().parseHex("0603550403"), text(0x0c, "idp"))));
        byte[] times = der(0x30, text(0x17, "240101000000Z"), text(0x17, "250101000000Z")); // long over: nobody minds
        byte[] told = der(
                0x30,
                HexFormat.of().parseHex("a003020102020101"),
                algorithm,
                name,
                times,
                name,
                pair.getPublic().getEncoded());
        try {
            Signature signature = Signature.getInstance(rsa ? "SHA256withRSA" : "SHA256withECDSA");
            signature.initSign(pair.getPrivate());
            signature.update(told);
            return der(0x30, told, algorithm, der(0x03, new byte[1], signature.sign()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] text(int tag, String text) {
        return der(tag, text.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] der(int tag, byte[]... parts) {
        var content = new ByteArrayOutputStream();
        for (byte[] each : parts) content.writeBytes(each);
        var whole = new ByteArrayOutputStream();
        whole.write(tag);
        int length = content.size();
        if (length < 128) whole.write(length);
        else {
            whole.write(0x82);
            whole.write(length >> 8);
            whole.write(length);
        }
        whole.writeBytes(content.toByteArray());
        return whole.toByteArray();
    }
}
