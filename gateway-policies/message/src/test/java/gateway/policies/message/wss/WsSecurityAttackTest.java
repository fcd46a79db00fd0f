package gateway.policies.message.wss;

import static gateway.policies.message.PolicyRun.text;
import static gateway.policies.message.wss.SoapSmith.ENVELOPE;
import static gateway.policies.message.wss.SoapSmith.SIGN;
import static gateway.policies.message.wss.SoapSmith.VERIFY;
import static gateway.policies.message.wss.SoapSmith.made;
import static gateway.policies.message.wss.SoapSmith.requests;
import static gateway.policies.message.wss.SoapSmith.send;
import static gateway.policies.message.wss.SoapSmith.signed;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.policies.cryptography.XmlSignatureAlgorithm;
import gateway.policies.message.PolicyRun;
import gateway.xml.BadXmlException;
import gateway.xml.Xml;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;

/// Messages that were signed once, made into others whose signature holds for a part of their readers.
final class WsSecurityAttackTest {
    private static final String EVIL = "<o:order id=\"8\"><o:sum>9999</o:sum></o:order>";
    private static final Map<String, String> ATTACKS = attacks();

    static Set<String> names() {
        return ATTACKS.keySet();
    }

    @ParameterizedTest
    @MethodSource("names")
    void is_refused_and_nothing_arrives(String name) {
        PolicyRun run = requests(VERIFY);

        var answer = send(run, ATTACKS.get(name));

        assertThat(answer.status()).as(text(answer)).isIn(400, 500);
        assertThat(run.arrived()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"xpointer(id('Timestamp-1'))", "xpointer", "a b", "", "%zz", "7", "a:b"})
    void an_id_that_no_reference_can_name_is_not_signed(String id) {
        PolicyRun run = requests(SIGN);
        String named = "<s:Body xmlns:w=\"" + SecurityName.WSU + "\" w:Id=\"" + id + "\">";

        var answer = send(run, ENVELOPE.replace("<s:Body>", named));

        assertThat(text(answer)).contains("InvalidSecurity");
        assertThat(run.arrived()).isEmpty();
    }

    /// Before any key is looked at: it would be canonicalized for each.
    @Test
    void lists_of_prefixes_and_elements_without_end_are_refused_by_their_form() throws BadXmlException {
        String good = signed();
        String list = prefixes(1);

        assertThat(flaw(good)).isEmpty();
        assertThat(flaw(canonicalized(good, prefixes(32)))).isEmpty();
        assertThat(flaw(canonicalized(good, prefixes(33)))).contains(SecurityFlaw.ALGORITHM);
        assertThat(flaw(canonicalized(good, list + list))).contains(SecurityFlaw.ALGORITHM);
        assertThat(flaw(canonicalized(good, list.replace("/>", "> </ec:InclusiveNamespaces>"))))
                .contains(SecurityFlaw.ALGORITHM);
        assertThat(flaw(canonicalized(good, list.replace("\"o ", "\"" + "o".repeat(1025)))))
                .contains(SecurityFlaw.ALGORITHM);
        assertThat(flaw(canonicalized(good, "<o:a/>".repeat(200)))).contains(SecurityFlaw.STRUCTURE);
        assertThat(flaw(good.replace("<ds:DigestValue>", "<ds:DigestValue>" + " ".repeat(17 << 10))))
                .contains(SecurityFlaw.STRUCTURE);
        assertThat(flaw(good.replaceFirst(
                        "(<ds:Transform [^>]*exc-c14n#\")(/>|></ds:Transform>)",
                        "$1>" + list + list + "</ds:Transform>")))
                .contains(SecurityFlaw.ALGORITHM);
    }

    private static Optional<SecurityFlaw> flaw(String message) throws BadXmlException {
        try {
            var read = SoapMessage.of(Xml.document(message.getBytes(UTF_8)), "", message.length());
            Element signature =
                    SecurityName.SIGNATURE.allIn(read.requiredSecurity()).getFirst();
            SoapSignatureForm.read(signature, read, EnumSet.allOf(XmlSignatureAlgorithm.class));
            return Optional.empty();
        } catch (BadSecurityException e) {
            return Optional.of(e.flaw());
        }
    }

    private static String canonicalized(String message, String inside) {
        String made = message.replaceFirst(
                "<ds:CanonicalizationMethod [^>]*(/>|></ds:CanonicalizationMethod>)", canonicalization(inside));
        if (made.equals(message)) throw new IllegalStateException("nothing is changed");
        return made;
    }

    private static Map<String, String> attacks() {
        String good = signed();
        String body = found(good, "<s:Body.*</s:Body>");
        String id = found(body, "wsuid:Id=\"[^\"]*\"|wsu:Id=\"[^\"]*\"").replaceAll("[^\"]*\"([^\"]*)\"", "$1");
        String evil = "<s:Body>" + EVIL + "</s:Body>";
        String same = body.replaceFirst(">.*</s:Body>", Matcher.quoteReplacement(">" + EVIL + "</s:Body>"));
        var all = new LinkedHashMap<String, String>();
        all.put("nothing is signed", ENVELOPE);
        all.put("a letter is another", good.replace("1.50", "1.51"));
        all.put(
                "the body lies under a header",
                good.replace(body, evil).replace("</s:Header>", "<o:w>" + body + "</o:w></s:Header>"));
        all.put(
                "the body lies in the security header",
                good.replace(body, evil).replace("</wsse:Security>", body + "</wsse:Security>"));
        all.put(
                "the body lies in the signature",
                good.replace(body, evil)
                        .replace("</ds:Signature>", "<ds:Object>" + body + "</ds:Object></ds:Signature>"));
        all.put("two bodies", good.replace(body, evil + body));
        all.put("two bodies, the other first", good.replace(body, body + evil));
        all.put("the id twice", good.replace(body, same).replace("</s:Header>", "<o:w>" + body + "</o:w></s:Header>"));
        all.put(
                "the id of another namespace",
                good.replace(body, same.replaceAll(" wsu(id)?:Id=", " o:Id="))
                        .replace("</s:Header>", "<o:w>" + body + "</o:w></s:Header>"));
        all.put(
                "the id as another writes it",
                good.replace(body, evil.replace("<s:Body", "<s:Body ID=\"" + id + '"'))
                        .replace("</s:Header>", "<o:w>" + body + "</o:w></s:Header>"));
        all.put(
                "an envelope in an envelope",
                ENVELOPE.replaceFirst(
                        "<s:Body>.*</s:Body>", Matcher.quoteReplacement("<s:Body>" + good + EVIL + "</s:Body>")));
        all.put("a comment in what is signed", good.replace("1.50", "1.<!-- -->50"));
        all.put(
                "another time",
                good.replaceAll(
                        "<wsu:Timestamp.*?</wsu:Timestamp>",
                        "<wsu:Timestamp xmlns:wsu=\"" + SecurityName.WSU
                                + "\"><wsu:Created>2026-06-01T00:00:00Z</wsu:Created></wsu:Timestamp>"));
        all.put("no time", good.replaceAll("<wsu:Timestamp.*?</wsu:Timestamp>", ""));
        all.put(
                "two security headers",
                good.replace("</s:Header>", found(good, "<wsse:Security .*</wsse:Security>") + "</s:Header>"));
        all.put(
                "two signatures",
                good.replace("</wsse:Security>", found(good, "<ds:Signature .*</ds:Signature>") + "</wsse:Security>"));
        all.put("of a stranger with the same name", made(SIGN.replace("CLIENT", "STRANGER"), ENVELOPE));
        all.put(
                "the body alone is not signed",
                made(SIGN.replace("\"key\"", "\"parts\": [\"timestamp\"], \"key\""), ENVELOPE));
        all.put("a reference to nothing", good.replace("URI=\"#" + id + '"', "URI=\"\""));
        all.put("a reference to a file", good.replace("URI=\"#" + id + '"', "URI=\"file:///etc/passwd\""));
        all.put("a reference to a server", good.replace("URI=\"#" + id + '"', "URI=\"http://127.0.0.1:1/\""));
        all.put("an attachment", good.replace("URI=\"#" + id + '"', "URI=\"cid:1\""));
        all.put("a reference by XPointer", good.replace("URI=\"#" + id + '"', "URI=\"#xpointer(id('" + id + "'))\""));
        all.put(
                "a transform by XPath",
                good.replace(
                        "<ds:Transform Algorithm=\"http://www.w3.org/2001/10/xml-exc-c14n#\"",
                        "<ds:Transform Algorithm=\"http://www.w3.org/TR/1999/REC-xpath-19991116\""));
        all.put(
                "a transform of tokens",
                good.replace(
                        "<ds:Transform Algorithm=\"http://www.w3.org/2001/10/xml-exc-c14n#\"",
                        "<ds:Transform Algorithm=\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#STR-Transform\""));
        all.put(
                "SHA-1",
                good.replace("http://www.w3.org/2001/04/xmlenc#sha256", "http://www.w3.org/2000/09/xmldsig#sha1"));
        all.put(
                "HMAC",
                good.replace(
                        "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
                        "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256"));
        all.put("no signature", good.replaceAll("<ds:SignatureValue>[^<]*<", "<ds:SignatureValue><"));
        all.put(
                "a token elsewhere",
                good.replaceFirst(
                        "(<wsse:BinarySecurityToken .*?</wsse:BinarySecurityToken>)(.*)</s:Header>",
                        "$2$1</s:Header>"));
        all.put(
                "a key that lies elsewhere",
                good.replaceAll(
                        "<ds:KeyInfo.*</ds:KeyInfo>",
                        "<ds:KeyInfo><ds:RetrievalMethod URI=\"http://127.0.0.1:1/\"/></ds:KeyInfo>"));
        all.put(
                "canonical XML with comments",
                good.replace(
                        "<ds:CanonicalizationMethod Algorithm=\"" + SoapSignatureForm.EXCLUSIVE,
                        "<ds:CanonicalizationMethod Algorithm=\"" + SoapSignatureForm.EXCLUSIVE + "WithComments"));
        for (String each : Set.of(
                SoapSignatureForm.EXCLUSIVE + "WithComments",
                "http://www.w3.org/TR/2001/REC-xml-c14n-20010315",
                "http://www.w3.org/TR/1999/REC-xslt-19991116",
                "http://www.w3.org/2002/06/xmldsig-filter2",
                "http://www.w3.org/2000/09/xmldsig#base64")) {
            all.put(
                    "a transform by " + each,
                    good.replace(
                            "<ds:Transform Algorithm=\"" + SoapSignatureForm.EXCLUSIVE + '"',
                            "<ds:Transform Algorithm=\"" + each + '"'));
        }
        for (String each : Set.of(id, "./#" + id, "?#" + id, "# " + id, '#' + id + '#', "#%49d", "message.xml#" + id)) {
            all.put("a relative reference " + each, good.replace("URI=\"#" + id + '"', "URI=\"" + each + '"'));
        }
        String time = found(good, "<wsu:Timestamp.*?</wsu:Timestamp>");
        String otherTime = "<wsu:Timestamp xmlns:wsu=\"" + SecurityName.WSU
                + "\"><wsu:Created>2026-06-01T00:00:00Z</wsu:Created></wsu:Timestamp>";
        all.put(
                "the time lies under a header",
                good.replace(time, otherTime).replace("</s:Header>", "<o:w>" + time + "</o:w></s:Header>"));
        all.put("the time lies in the security header", good.replace(time, otherTime + "<o:w>" + time + "</o:w>"));
        all.put("two times", good.replace(time, otherTime + time));
        for (String actor : Set.of(
                " ",
                "&#9;",
                " http://schemas.xmlsoap.org/soap/actor/next ",
                "http://schemas.xmlsoap.org/soap/actor/next",
                "http://www.w3.org/2003/05/soap-envelope/role/next")) {
            all.put(
                    "another security header for " + actor,
                    good.replace(
                            "<s:Header>",
                            "<s:Header><wsse:Security xmlns:wsse=\"" + SecurityName.WSSE + "\" s:actor=\"" + actor
                                    + "\"><wsse:UsernameToken><wsse:Username>admin</wsse:Username>"
                                    + "</wsse:UsernameToken></wsse:Security>"));
        }
        all.put("a DOCTYPE", "<!DOCTYPE s:Envelope>" + good);
        for (Map.Entry<String, String> each : all.entrySet()) {
            if (each.getValue().equals(good)) throw new IllegalStateException(each.getKey() + " changes nothing");
        }
        return all;
    }

    private static String canonicalization(String inside) {
        return "<ds:CanonicalizationMethod Algorithm=\"" + SoapSignatureForm.EXCLUSIVE + "\">" + inside
                + "</ds:CanonicalizationMethod>";
    }

    private static String prefixes(int count) {
        return "<ec:InclusiveNamespaces xmlns:ec=\"" + SoapSignatureForm.EXCLUSIVE + "\" PrefixList=\""
                + "o ".repeat(count) + "\"/>";
    }

    private static String found(String text, String expression) {
        Matcher found = Pattern.compile(expression).matcher(text);
        if (!found.find()) throw new IllegalStateException(expression + " is not in " + text);
        return found.group();
    }
}
