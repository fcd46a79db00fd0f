package gateway.policies.identity;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;

/// Responses that hold what one issuer has signed, and say that somebody else calls: "On Breaking SAML: Be Whoever You
/// Want to Be" (Somorovsky et al., 2012), and what was found since.
public final class SamlAttacks {
    private final String good;
    private final String signature;
    private final String unsigned;
    private final String evil;
    private final Instant now;
    private final Map<String, String> all = new LinkedHashMap<>();

    private SamlAttacks(SamlSmith issuer, Instant now) {
        this.good = issuer.sign(SamlSmith.assertion("assertion", now), "assertion");
        this.signature = between(good, "<ds:Signature ", "</ds:Signature>");
        this.unsigned = good.replace(signature, "");
        this.evil = unsigned.replace("alice", "admin").replace("ID=\"assertion\"", "ID=\"evil\"");
        this.now = now;
    }

    /// By what is done in them.
    ///
    /// @param stranger whose key nobody trusts
    public static Map<String, String> responses(SamlSmith issuer, SamlSmith stranger, Instant now) {
        var attacks = new SamlAttacks(issuer, now);
        attacks.wrapResponses(issuer.sign(SamlSmith.response(attacks.unsigned, now), "response"));
        attacks.wrapAssertions();
        attacks.change(stranger);
        return attacks.all;
    }

    /// Messages of SOAP of the same kind.
    public static Map<String, String> envelopes(SamlSmith issuer, SamlSmith stranger, Instant now) {
        var attacks = new SamlAttacks(issuer, now);
        attacks.wrapAssertions();
        attacks.change(stranger);
        var envelopes = new LinkedHashMap<String, String>();
        attacks.all.forEach((name, response) -> envelopes.put(
                name,
                SamlSmith.envelope(between(response, "</samlp:Status>", "</samlp:Response>")
                        .replaceAll("</?samlp:[^>]*>", ""))));
        String order = "<order id=\"7\"/>";
        envelopes.put(
                "the evil one in front, the good one in the body",
                SamlSmith.envelope(attacks.evil).replace(order, attacks.good));
        envelopes.put("the good one in the body", SamlSmith.envelope("").replace(order, attacks.good));
        envelopes.put("the good one under another header", SamlSmith.envelope("<x>" + attacks.good + "</x>"));
        return envelopes;
    }

    /// The signed response hides in the signature of one that is not, or beside that.
    private void wrapResponses(String signed) {
        String itsSignature = between(signed, "<ds:Signature ", "</ds:Signature>");
        String original = signed.replace(itsSignature, "");
        String other = original.replace("alice", "admin").replace("ID=\"response\"", "ID=\"evil\"");
        all.put("wrapping 1", behindIssuer(other, within(itsSignature, object(original))));
        all.put("wrapping 2", behindIssuer(other, original + itsSignature));
        all.put("wrapping 2, signature first", behindIssuer(other, itsSignature + original));
        all.put("the signature of another response", behindIssuer(other, itsSignature));
    }

    /// The signed assertion hides in one that is not, or beside that.
    private void wrapAssertions() {
        put("wrapping 3", evil + good);
        put("wrapping 3, the good one first", good + evil);
        put("wrapping 4", evil.replace("</saml:Assertion>", good + "</saml:Assertion>"));
        put("wrapping 5", behindIssuer(evil, signature) + unsigned);
        put("wrapping 6", behindIssuer(evil, within(signature, unsigned)));
        put("wrapping 7", extensions(unsigned) + behindIssuer(evil, signature));
        put("wrapping 7, the evil one in the extension", extensions(evil) + good);
        put("wrapping 8", behindIssuer(evil, within(signature, object(unsigned))));
        put("two of one id", evil.replace("evil", "assertion") + good);
    }

    private void change(SamlSmith stranger) {
        String theirs = stranger.sign(unsigned.replace("alice", "admin"), "assertion");
        String info = "<ds:KeyInfo><ds:X509Data><ds:X509Certificate>" + stranger.base64()
                + "</ds:X509Certificate></ds:X509Data></ds:KeyInfo>";
        put("no signature", evil);
        put("another name", good.replace("alice", "admin"));
        put("a comment in the name", good.replace("alice", "ali<!---->ce"));
        put("an instruction in the name", good.replace("alice", "ali<?x y?>ce"));
        put("signed by another", theirs);
        put("signed by another who is told", within(theirs, info));
        put("a reference to nothing", good.replace("URI=\"#assertion\"", "URI=\"\""));
        put("a reference to no element", good.replace("URI=\"#assertion\"", "URI=\"#none\""));
        put("a digest of nothing", good.replaceAll("<ds:DigestValue>.*?</ds:DigestValue>", "<ds:DigestValue/>"));
        put(
                "a second digest",
                good.replace("<ds:DigestValue>", "<ds:DigestValue>AAAA</ds:DigestValue><ds:DigestValue>"));
        all.put(
                "an entity in the name",
                "<!DOCTYPE r [<!ENTITY e 'admin'>]>" + SamlSmith.response(good.replace("alice", "&e;"), now));
    }

    private void put(String name, String assertions) {
        all.put(name, SamlSmith.response(assertions, now));
    }

    private static String extensions(String content) {
        return "<samlp:Extensions>" + content + "</samlp:Extensions>";
    }

    private static String object(String content) {
        return "<ds:Object>" + content + "</ds:Object>";
    }

    private static String within(String signature, String more) {
        return signature.replace("</ds:Signature>", more + "</ds:Signature>");
    }

    static String behindIssuer(String element, String more) {
        return element.replaceFirst("</saml:Issuer>", Matcher.quoteReplacement("</saml:Issuer>" + more));
    }

    static String between(String text, String first, String last) {
        int from = text.indexOf(first);
        return text.substring(from, text.indexOf(last, from) + last.length());
    }
}
