package gateway.policies.identity;

import static gateway.policies.identity.SamlCase.form;
import static gateway.policies.identity.SamlCase.header;
import static gateway.policies.identity.SamlCase.held;
import static gateway.policies.identity.SamlCase.said;
import static gateway.policies.identity.SamlCase.soap;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchange;
import gateway.policies.cryptography.XmlSignatureAlgorithm;
import gateway.policy.Policy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/// Messages that are signed by the right key and say something else.
final class SamlAttackTest {
    private static final SamlSmith IDP = SamlSmith.rsa(2048);
    private static final SamlSmith EVIL = SamlSmith.rsa(2048);
    private static final String INVALID = "401 The assertion is invalid";
    private static final String MISSING = "401 The assertion is missing";
    private static final String ENVELOPED = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";
    private static final String RSA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";
    private static final String SHA256 = "http://www.w3.org/2001/04/xmlenc#sha256";

    private final SamlCase idp = new SamlCase(IDP);
    private final String good = idp.signed();
    private final String signature = SamlAttacks.between(good, "<ds:Signature ", "</ds:Signature>");
    private final String unsigned = good.replace(signature, "");

    @Test
    void the_good_ones_pass() {
        assertThat(said(idp.policy("header", "'once': false"), header(good))).isEqualTo("passes");
        assertThat(said(idp.policy("form", "'once': false"), form(response(good))))
                .isEqualTo("passes");
        assertThat(said(idp.policy("soap-header", "'once': false"), soap(SamlSmith.envelope(good))))
                .isEqualTo("passes");
    }

    @Test
    void each_known_attack_is_refused_in_forms_and_headers() {
        Map<String, String> attacks = SamlAttacks.responses(IDP, EVIL, idp.now());

        assertThat(attacks).hasSizeGreaterThan(20).containsKeys("wrapping 1", "wrapping 8");
        assertRefused(attacks.values().toArray(String[]::new));
    }

    @Test
    void each_known_attack_is_refused_in_soap_messages() {
        Policy policy = idp.policy("soap-header", "'once': false");

        SamlAttacks.envelopes(IDP, EVIL, idp.now())
                .forEach((name, envelope) ->
                        assertThat(said(policy, soap(envelope))).as(name).isIn(INVALID, MISSING));
    }

    @Test
    void messages_that_are_not_what_soap_says_are_refused() {
        Policy policy = idp.policy("soap-header", "");
        String envelope = SamlSmith.envelope(good);
        for (String each : List.of(
                SamlSmith.envelope("<wrapper>" + good + "</wrapper>"),
                envelope.replace("<s:Body>", "<s:Body/><s:Body>"),
                envelope.replace("<s:Header>", "<s:Header/><s:Header>"),
                envelope.replace("id=\"7\"", "id=\"assertion\""),
                envelope.replace("<s:Header>", "<s:Header Id=\"assertion\">"),
                envelope.replace("schemas.xmlsoap.org/soap/envelope/", "schemas.example.org/soap/"))) {
            assertThat(said(policy, soap(each))).as(each).isEqualTo(INVALID);
        }
    }

    @Test
    void ids_that_two_elements_have_however_they_are_written_are_refused() {
        for (String each : List.of("ID", "Id", "id", "xml:id", "iD")) {
            assertRefused(
                    response(good).replace("<samlp:Status>", "<samlp:Status " + each + "=\"assertion\">"),
                    response(good).replace("<samlp:Status>", "<samlp:Status " + each + "=\"response\">"));
        }
        assertRefused(
                response(good.replace("ID=\"assertion\"", "Id=\"assertion\"")),
                response(good.replace("ID=\"assertion\"", "xml:id=\"assertion\"")),
                response(good.replace("ID=\"assertion\"", "ID=\"assertion\" xml:id=\"assertion\"")));
    }

    @Test
    void comments_and_instructions_are_refused_though_no_signature_minds_them() {
        for (String each : List.of("<!---->", "<!-- x -->", "<?x y?>")) {
            assertRefused(
                    response(good.replace("alice", "al" + each + "ice")),
                    response(good.replace("</saml:Issuer>", each + "</saml:Issuer>")),
                    response(good.replace("<ds:DigestValue>", "<ds:DigestValue>" + each)),
                    response(good).replace("<samlp:Status>", each + "<samlp:Status>"),
                    each + response(good));
            assertThat(said(
                            idp.policy("soap-header", ""),
                            soap(SamlSmith.envelope(good.replace("alice", "al" + each + "ice")))))
                    .isEqualTo(INVALID);
        }
        // in a message that is not all ours it is the payload's affair
        assertThat(said(
                        idp.policy("soap-header", "'once': false"),
                        soap(SamlSmith.envelope(good).replace("<s:Body>", "<!-- x --><s:Body>"))))
                .isEqualTo("passes");
    }

    @Test
    void references_to_anything_but_the_element_around_the_signature_are_refused() {
        List<String> usual = List.of(ENVELOPED, SamlSmith.EXCLUSIVE);
        assertRefused(
                response(IDP.sign(idp.assertion(), "assertion", RSA256, SHA256, "", usual)),
                IDP.sign(idp.assertion(), "assertion", RSA256, SHA256, "", usual),
                response(good.replace("URI=\"#assertion\"", "URI=\"\"")),
                response(good.replace("URI=\"#assertion\"", "")),
                response(good.replace("URI=\"#assertion\"", "URI=\"#xpointer(id('assertion'))\"")),
                response(good.replace("URI=\"#assertion\"", "URI=\"http://127.0.0.1:1/x\"")),
                response(good.replace("URI=\"#assertion\"", "URI=\"file:///etc/passwd\"")),
                response(good.replace("URI=\"#assertion\"", "URI=\"#response\"")),
                response(good.replace("ID=\"assertion\"", "ID=\"\"").replace("URI=\"#assertion\"", "URI=\"#\"")));
    }

    @Test
    void transforms_that_leave_something_out_are_refused() {
        String exclusive = SamlSmith.EXCLUSIVE;
        for (List<String> each : List.of(
                List.of(ENVELOPED),
                List.of(exclusive, ENVELOPED),
                List.of(ENVELOPED, "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"),
                List.of(ENVELOPED, exclusive + "WithComments"),
                List.of(ENVELOPED, exclusive, exclusive))) {
            assertRefused(response(IDP.sign(idp.assertion(), "assertion", RSA256, SHA256, "#assertion", each)));
        }
        String transform = "<ds:Transform Algorithm=\"" + exclusive + "\"/>";
        for (String each : List.of(
                "<ds:Transform Algorithm=\"http://www.w3.org/TR/1999/REC-xpath-19991116\"><ds:XPath>false()</ds:XPath></ds:Transform>",
                "<ds:Transform Algorithm=\"http://www.w3.org/TR/1999/REC-xslt-19991116\"><x/></ds:Transform>",
                "<ds:Transform Algorithm=\"http://www.w3.org/2000/09/xmldsig#base64\"/>")) {
            assertThat(good).contains(transform);
            assertRefused(
                    response(good.replace(transform, each)),
                    response(good.replace(transform, transform + each)),
                    response(good.replace(transform, each + transform)));
        }
    }

    /// Before any key is looked at: it would be canonicalized for each.
    @Test
    void lists_of_prefixes_and_elements_without_end_are_refused_by_their_form() {
        String method = SamlAttacks.between(good, "<ds:CanonicalizationMethod ", "/>");
        String transform = "<ds:Transform Algorithm=\"" + SamlSmith.EXCLUSIVE + "\"/>";
        String list = "<ec:InclusiveNamespaces xmlns:ec=\"" + SamlSmith.EXCLUSIVE + "\" PrefixList=\"%s\"/>";
        String one = list.formatted("a");

        assertThat(flaw(good)).isEqualTo(AssertionFlaw.UNKNOWN_KEY);
        for (String each : List.of(method, transform)) {
            assertThat(flaw(within(each, list.formatted("a ".repeat(32))))).isEqualTo(AssertionFlaw.UNKNOWN_KEY);
            for (String bad : List.of(
                    list.formatted("a ".repeat(33)),
                    list.formatted("a".repeat(1025)),
                    one + one,
                    one.replace("/>", "><x/></ec:InclusiveNamespaces>"))) {
                assertThat(flaw(within(each, bad))).isEqualTo(AssertionFlaw.ALGORITHM);
            }
            assertThat(flaw(within(each, "<x/>".repeat(200)))).isEqualTo(AssertionFlaw.STRUCTURE);
        }
    }

    private String within(String method, String inside) {
        String end = method.startsWith("<ds:T") ? "</ds:Transform>" : "</ds:CanonicalizationMethod>";
        String opened = method.substring(0, method.length() - 2) + ">" + inside + end;
        return good.replace(method, opened);
    }

    private AssertionFlaw flaw(String assertion) {
        var nobody = new AssertionSignature(Set.of(XmlSignatureAlgorithm.values()));
        SamlMessage message = SamlMessage.read(response(assertion).getBytes(StandardCharsets.UTF_8));
        try {
            throw new AssertionError(nobody.verified(message, List.of()).toString());
        } catch (BadAssertionException e) {
            return e.flaw();
        }
    }

    @Test
    void signatures_with_more_than_one_of_anything_are_refused() {
        String info = SamlAttacks.between(good, "<ds:SignedInfo>", "</ds:SignedInfo>");
        String reference = SamlAttacks.between(good, "<ds:Reference ", "</ds:Reference>");
        String value = SamlAttacks.between(good, "<ds:SignatureValue>", "</ds:SignatureValue>");
        String digest = SamlAttacks.between(good, "<ds:DigestValue>", "</ds:DigestValue>");
        for (String each : List.of(info, reference, value, digest, signature)) {
            assertRefused(response(good.replace(each, each + each)));
        }
        assertRefused(
                response(good.replace(info, info.replace(digest, "<ds:DigestValue/>") + info)),
                response(good.replace(reference, "")),
                response(good.replace("</ds:Signature>", object("x") + "</ds:Signature>")),
                response(good.replace(signature, "<wrapper>" + signature + "</wrapper>")),
                response(good.replace(digest, "<ds:DigestValue><x/>" + digest.substring("<ds:DigestValue>".length()))));
    }

    @Test
    void keys_that_the_message_brings_along_are_not_taken() {
        String theirs = EVIL.sign(idp.assertion(), "assertion");
        String keyInfo =
                "<ds:KeyInfo><ds:X509Data><ds:X509Certificate>%s</ds:X509Certificate></ds:X509Data></ds:KeyInfo>";
        String retrieval = "<ds:KeyInfo><ds:RetrievalMethod URI=\"http://127.0.0.1:1/key\"/></ds:KeyInfo>";
        for (String each : List.of("", keyInfo.formatted(EVIL.base64()), keyInfo.formatted(IDP.base64()))) {
            assertRefused(response(theirs.replace("</ds:Signature>", each + "</ds:Signature>")));
        }
        assertRefused(
                response(good.replace("</ds:Signature>", keyInfo.formatted(EVIL.base64()) + "</ds:Signature>")),
                response(good.replace("</ds:Signature>", keyInfo.formatted("!") + "</ds:Signature>")),
                response(good.replace("</ds:Signature>", retrieval + "</ds:Signature>")));
        String named = good.replace("</ds:Signature>", keyInfo.formatted(IDP.base64()) + "</ds:Signature>");
        assertThat(said(idp.policy("form", "'once': false"), form(response(named))))
                .isEqualTo("passes");
    }

    @Test
    void signatures_in_the_place_of_others_are_refused() {
        String signed = IDP.sign(response(idp.assertion()), "response");
        String ofResponse = SamlAttacks.between(signed, "<ds:Signature ", "</ds:Signature>");
        assertRefused(
                response(unsigned),
                response(SamlAttacks.behindIssuer(unsigned, ofResponse)),
                SamlAttacks.behindIssuer(response(unsigned), signature),
                SamlAttacks.behindIssuer(response(good), signature),
                EVIL.sign(response(good), "response"),
                IDP.sign(response(EVIL.sign(idp.assertion(), "assertion")), "response"));
    }

    @Test
    void doctypes_and_encrypted_assertions_are_refused() {
        assertRefused(
                "<!DOCTYPE a [<!ENTITY e 'admin'>]>" + response(good.replace("alice", "&e;")),
                "<!DOCTYPE a [<!ATTLIST samlp:Status x ID #IMPLIED>]>" + response(good),
                "<?xml version='1.1'?>" + response(good),
                response("<saml:EncryptedAssertion xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\"/>"),
                response(good + "<saml:EncryptedAssertion xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\"/>"),
                response(good.replace(
                        "urn:oasis:names:tc:SAML:2.0:assertion", "urn:oasis:names:tc:SAML:1.0:assertion")));
    }

    @Test
    void an_assertion_that_hides_from_the_look_at_the_bytes_is_seen() {
        String hidden =
                SamlSmith.envelope(good).replace("names:tc:SAML:2.0:assertion", "names:tc:&#83;AM&#76;:2.0:assertion");
        var policy = (SamlAuthentication) idp.policy("soap-header", "'once': false");

        assertThat(policy.shownAt(soap(hidden))).isEqualTo("soap:Security");
        assertThat(policy.shownAt(soap(SamlSmith.envelope("")))).isNull();
        assertThat(policy.shownAt(soap("<broken"))).isNull();
        assertThat(policy.shownAt(soap("<broken>SAML"))).isEqualTo("soap:Security");
        for (var charset : List.of(StandardCharsets.UTF_16, StandardCharsets.UTF_16LE)) {
            String text = "<?xml version='1.0' encoding='UTF-16'?>" + SamlSmith.envelope(good);
            Exchange wide = held(
                    "text/xml",
                    ("\ufeff".repeat(charset.equals(StandardCharsets.UTF_16LE) ? 1 : 0) + text).getBytes(charset));

            assertThat(policy.shownAt(wide)).isEqualTo("soap:Security");
            assertThat(said(policy, wide)).isEqualTo("passes");
        }
    }

    @Test
    void a_form_with_two_answers_is_refused() {
        String once = new String(form(response(good)).held().orElseThrow().plain(), StandardCharsets.UTF_8);
        for (String each : List.of("&SAMLResponse=x", "&%53AMLResponse=x", "&SAMLResponse")) {
            Exchange exchange =
                    held("application/x-www-form-urlencoded", (once + each).getBytes(StandardCharsets.UTF_8));

            assertThat(said(idp.policy("form", ""), exchange)).isEqualTo(INVALID);
        }
    }

    /// Whatever is changed in a signed message: it is refused, or says what it said.
    @Property(tries = 400)
    void no_change_makes_another_caller(@ForAll long seed, @ForAll @IntRange(min = 1, max = 3) int changes) {
        String text = response(good);
        var random = new Random(seed);
        List<String> pieces =
                new ArrayList<>(List.of("admin", "<!---->", "&#65;", unsigned, signature, "<a>", "</a>", ""));
        for (int i = 0; i < changes; i++) {
            int from = random.nextInt(text.length());
            int to = Math.min(text.length(), from + random.nextInt(20));
            text = text.substring(0, from) + pieces.get(random.nextInt(pieces.size())) + text.substring(to);
        }
        Exchange exchange = form(text);

        if (said(idp.policy("form", "'once': false"), exchange).equals("passes")) {
            assertThat(exchange.consumer().orElseThrow().id()).isEqualTo("saml:alice");
        }
    }

    private String response(String assertion) {
        return SamlSmith.response(assertion, idp.now());
    }

    private static String object(String content) {
        return "<ds:Object>" + content + "</ds:Object>";
    }

    private void assertRefused(String... messages) {
        for (String from : List.of("form", "header")) {
            Policy policy = idp.policy(from, "'once': false");
            for (String each : messages) {
                assertThat(said(policy, from.equals("form") ? form(each) : header(each)))
                        .as(each)
                        .isEqualTo(INVALID);
            }
        }
    }
}
