package gateway.policies.identity;

import static gateway.policies.identity.SamlCase.header;
import static gateway.policies.identity.SamlCase.problems;
import static gateway.policies.identity.SamlCase.said;
import static gateway.policies.identity.SamlCase.soap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Body;
import gateway.http.Headers;
import gateway.policy.Policy;
import gateway.service.CallAnswer;
import gateway.service.CallRequest;
import gateway.service.DependencyException;
import gateway.service.SecretReference.Origin;
import gateway.xml.Xml;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.w3c.dom.Element;

/// Assertions about which a security token service is asked.
@Timeout(60)
final class SamlValidationTest {
    private static final SamlSmith IDP = SamlSmith.rsa(2048);
    private static final SamlSmith EVIL = SamlSmith.rsa(2048);
    private static final String INVALID = "401 The assertion is invalid";
    private static final String HOST = "https://sts.example";
    private static final String STS = "'url': 'https://sts.example/trust?x=1'";

    private final SamlCase idp = new SamlCase(IDP);
    private final ConcurrentLinkedQueue<CallRequest> asked = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void start() {
        idp.services.secrets().put(Origin.SECRET, "sts", "p:ss");
        answer(200, StsAnswers.saying("valid"));
    }

    private void answer(int status, String text) {
        idp.services.calls().serve(HOST, request -> {
            asked.add(request);
            return told(status, text);
        });
    }

    private static CallAnswer told(int status, String text) {
        return new CallAnswer(status, Headers.create(), Body.of(text.getBytes(StandardCharsets.UTF_8)));
    }

    private Policy policy(String from, String sts) {
        return idp.policy(from, "'once': false, 'validate': {" + STS + sts + "}");
    }

    @Test
    void asks_for_a_status_about_the_whole_assertion_and_by_the_names_of_ws_trust() throws Exception {
        assertThat(said(policy("header", ""), header(idp.signed()))).isEqualTo("passes");

        CallRequest request = asked.remove();
        assertThat(request.method() + ' ' + request.path()).isEqualTo("POST /trust?x=1");
        assertThat(request.headers().first("Content-Type"))
                .contains("application/soap+xml; charset=utf-8; action=\"" + TrustQuestion.ACTION + '"');
        Element envelope = Xml.document(request.body().bytes(Long.MAX_VALUE)).getDocumentElement();
        assertThat(envelope.getNamespaceURI()).isEqualTo("http://www.w3.org/2003/05/soap-envelope");
        Element asks = child(child(envelope, 1), 0);
        assertThat(asks.getNamespaceURI()).isEqualTo("http://docs.oasis-open.org/ws-sx/ws-trust/200512");
        assertThat(child(asks, 0).getTextContent())
                .isEqualTo("http://docs.oasis-open.org/ws-sx/ws-trust/200512/RSTR/Status");
        assertThat(child(asks, 1).getTextContent())
                .isEqualTo("http://docs.oasis-open.org/ws-sx/ws-trust/200512/Validate");
        assertThat(SamlElement.ASSERTION.is(child(child(asks, 2), 0))).isTrue();
        assertThat(sent(request)).contains("<ds:SignatureValue>", "<a:To>https://sts.example/trust?x=1</a:To>");
    }

    private static Element child(Element parent, int at) {
        return SamlElement.children(parent).get(at);
    }

    private static String sent(CallRequest request) {
        return new String(request.body().bytes(Long.MAX_VALUE), StandardCharsets.UTF_8);
    }

    @Test
    void speaks_soap_1_1_and_shows_who_it_is_where_that_is_wished() {
        Policy policy = policy("header", ", 'soap': '1.1', 'user': 'gw', 'password': {'secret': 'sts'}");

        assertThat(said(policy, header(idp.signed()))).isEqualTo("passes");

        CallRequest request = asked.remove();
        assertThat(request.headers().first("Content-Type")).contains("text/xml; charset=utf-8");
        assertThat(request.headers().first("SOAPAction")).contains('"' + TrustQuestion.ACTION + '"');
        String pair = Base64.getEncoder().encodeToString("gw:p:ss".getBytes(StandardCharsets.UTF_8));
        assertThat(request.headers().first("Authorization")).contains("Basic " + pair);
        assertThat(sent(request)).startsWith("<S:Envelope xmlns:S=\"http://schemas.xmlsoap.org/soap/envelope/\"");
    }

    @Test
    void an_assertion_takes_the_namespaces_around_it_along() {
        String inherited = SamlSmith.envelope(
                        idp.signed().replaceFirst(" xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\"", ""))
                .replace("<w:Security ", "<w:Security xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\" ");

        assertThat(said(policy("soap-header", ""), soap(inherited))).isEqualTo("passes");

        assertThat(sent(asked.remove()))
                .contains("<saml:Assertion ", "xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\"");
    }

    @Test
    void of_keys_the_service_is_shown_certificates_of_trust_alone() {
        String certificates = "<ds:X509SubjectName>CN=x</ds:X509SubjectName>" + certificate(EVIL) + certificate(IDP);

        assertThat(said(policy("header", ", 'cacheFor': '0s'"), header(showing("<ds:KeyName>x</ds:KeyName>"))))
                .isEqualTo("passes");
        assertThat(sent(asked.remove())).contains("<ds:SignatureValue>").doesNotContain("KeyInfo");
        assertThat(said(
                        policy("header", ", 'cacheFor': '0s'"),
                        header(showing("<ds:KeyName>x</ds:KeyName><ds:X509Data>" + certificates + "</ds:X509Data>"))))
                .isEqualTo("passes");
        assertThat(sent(asked.remove()))
                .contains("<ds:KeyInfo><ds:X509Data>" + certificate(IDP) + "</ds:X509Data></ds:KeyInfo>")
                .doesNotContain(EVIL.base64());
    }

    private String showing(String keys) {
        return idp.signed().replace("</ds:Signature>", "<ds:KeyInfo>" + keys + "</ds:KeyInfo></ds:Signature>");
    }

    private static String certificate(SamlSmith smith) {
        return "<ds:X509Certificate>" + smith.base64() + "</ds:X509Certificate>";
    }

    @Test
    void one_assertion_makes_one_question_whatever_nobody_has_signed_about_it() {
        Policy policy = policy("header", "");
        for (String each : List.of(
                idp.signed(),
                SamlSmith.response(idp.signed(), idp.now()),
                idp.signed().replace("<saml:Assertion ", "<saml:Assertion xmlns:x=\"urn:x\" "),
                idp.signed().replace("<ds:SignatureValue>", "<ds:SignatureValue>\n"),
                showing("<ds:KeyName>x</ds:KeyName>"),
                showing("<ds:KeyName>y</ds:KeyName><ds:X509Data>" + certificate(IDP) + "</ds:X509Data>"))) {
            assertThat(said(policy, header(each))).as(each).isEqualTo("passes");
        }
        assertThat(asked).hasSize(1);
    }

    @Test
    void nothing_is_asked_about_an_assertion_that_was_taken_once() {
        Policy policy = idp.policy("header", "'validate': {" + STS + ", 'cacheFor': '0s'}");
        assertThat(said(policy, header(idp.signed()))).isEqualTo("passes");

        assertThat(said(policy, header(idp.signed()))).isEqualTo(INVALID);

        assertThat(asked).hasSize(1);
    }

    @Test
    void what_the_service_calls_invalid_is_refused() {
        for (SoapVersion version : SoapVersion.values()) {
            idp.services.clock().advance(Duration.ofSeconds(10));
            answer(200, StsAnswers.saying(version, "invalid"));
            assertThat(said(policy("header", ""), header(idp.signed()))).isEqualTo(INVALID);

            idp.services.clock().advance(Duration.ofSeconds(10));
            answer(200, StsAnswers.saying(version, "valid"));
            assertThat(said(policy("header", ""), header(idp.signed()))).isEqualTo("passes");
        }
    }

    @Test
    void nothing_is_asked_about_what_is_no_good_by_itself() {
        Policy policy = policy("header", "");
        String good = idp.signed();
        for (String each : List.of(
                EVIL.sign(idp.assertion(), "assertion"),
                idp.assertion(),
                good.replace("alice", "admin"),
                IDP.sign(idp.assertion().replace("urn:orders", "urn:other"), "assertion"),
                IDP.sign(idp.assertion().replace("<saml:NameID>alice</saml:NameID>", "<saml:NameID/>"), "assertion"))) {
            assertThat(said(policy, header(each))).isEqualTo(INVALID);
        }
        assertThat(asked).isEmpty();
    }

    @Test
    void an_answer_that_cannot_be_believed_is_no_verdict() {
        Policy policy = policy("header", ", 'cacheFor': '0s', 'negativeCacheFor': '0s'");
        String valid = StsAnswers.saying("valid");
        String status = StsAnswers.status("valid");
        for (String each : List.of(
                "",
                "<html/>",
                "{}",
                status,
                valid.replace("status/valid", "status/fine"),
                valid.replace("status/valid", "status/valid2"),
                valid.replace("status/valid", "status/VALID"),
                valid.replace("ws-trust/200512", "ws-trust/200513"),
                valid.replace("<t:Status>", "<t:State>").replace("</t:Status>", "</t:State>"),
                valid.replace(status, status + StsAnswers.status("invalid")),
                valid.replace("</t:Code>", "</t:Code><t:Code>x</t:Code>"),
                valid.replace("<S:Body>", "<S:Body/><S:Body>"),
                valid.replace("<S:Body>", "<S:Body><x/>"),
                valid.replace("</t:Code>", "<x/></t:Code>"),
                "<!DOCTYPE x>" + valid,
                StsAnswers.fault(),
                valid + " ".repeat(100_000))) {
            answer(200, each);

            assertThatThrownBy(() -> said(policy, header(idp.signed())))
                    .as(each)
                    .isInstanceOf(DependencyException.class);
        }
        for (int code : List.of(202, 302, 400, 401, 403, 404, 500, 503)) {
            answer(code, valid);

            assertThatThrownBy(() -> said(policy, header(idp.signed()))).isInstanceOf(DependencyException.class);
        }
        answer(200, valid);
        assertThat(said(policy, header(idp.signed()))).isEqualTo("passes");
    }

    @Test
    void an_assertion_that_nobody_judged_may_come_again() {
        Policy policy = idp.policy("header", "'validate': {" + STS + "}");
        String xml = idp.signed();
        answer(500, "");
        assertThatThrownBy(() -> said(policy, header(xml))).isInstanceOf(DependencyException.class);

        answer(200, StsAnswers.saying("valid"));

        assertThat(said(policy, header(xml))).isEqualTo("passes");
        assertThat(said(policy, header(xml))).isEqualTo(INVALID);
    }

    @Test
    void verdicts_are_remembered_for_a_while_and_never_past_the_end_of_the_assertion() {
        Policy policy = policy("header", ", 'cacheFor': '1h', 'negativeCacheFor': '5s'");
        String xml = idp.signed();
        for (int i = 0; i < 3; i++) assertThat(said(policy, header(xml))).isEqualTo("passes");
        assertThat(asked).hasSize(1);

        answer(200, StsAnswers.saying("invalid"));
        String other = IDP.sign(SamlSmith.assertion("other", idp.now()), "other");
        for (int i = 0; i < 3; i++) assertThat(said(policy, header(other))).isEqualTo(INVALID);
        assertThat(asked).hasSize(2);

        answer(200, StsAnswers.saying("valid"));
        idp.services.clock().advance(Duration.ofSeconds(5));
        assertThat(said(policy, header(other))).isEqualTo("passes");
        idp.services.clock().advance(Duration.ofSeconds(325));
        assertThat(said(policy, header(xml))).isEqualTo("401 The assertion is expired");
    }

    @Test
    void the_same_id_with_other_content_is_another_assertion() {
        Policy policy = policy("header", ", 'cacheFor': '1h'");
        assertThat(said(policy, header(idp.signed()))).isEqualTo("passes");
        answer(200, StsAnswers.saying("invalid"));

        String other = IDP.sign(idp.assertion().replace("alice", "carol"), "assertion");

        assertThat(said(policy, header(other))).isEqualTo(INVALID);
    }

    @Test
    void a_valid_assertion_goes_on_while_the_service_is_away_where_that_is_said() {
        Policy policy = policy("header", ", 'cacheFor': '0s', 'stale': '2m'");
        String xml = idp.signed();
        assertThat(said(policy, header(xml))).isEqualTo("passes");

        answer(500, "");
        idp.services.clock().advance(Duration.ofSeconds(119));
        assertThat(said(policy, header(xml))).isEqualTo("passes");
        idp.services.clock().advance(Duration.ofSeconds(1));
        assertThatThrownBy(() -> said(policy, header(xml))).isInstanceOf(DependencyException.class);
    }

    @Test
    void a_hundred_with_one_new_assertion_make_one_question() throws Exception {
        var over = new CountDownLatch(1);
        var begun = new CountDownLatch(1);
        idp.services.calls().serve(HOST, request -> {
            asked.add(request);
            begun.countDown();
            await(over);
            return told(200, StsAnswers.saying("valid"));
        });
        Policy policy = policy("header", ", 'timeout': '20s'");
        String xml = idp.signed();
        var said = new ConcurrentLinkedQueue<String>();
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < 100; i++) {
            threads.add(Thread.startVirtualThread(() -> said.add(said(policy, header(xml)))));
        }
        begun.await();

        over.countDown();
        for (Thread each : threads) each.join();

        assertThat(said).hasSize(100).containsOnly("passes");
        assertThat(asked).hasSize(1);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void tells_what_is_wrong_with_a_definition() {
        String start = "{'from': 'header', 'audience': 'a', " + SamlCase.trust(IDP) + ", 'validate': ";
        assertThat(problems(start + "{}}")).contains("/validate/url: expected text, got nothing");
        assertThat(problems(start + "{'url': 'http://sts.example'}}"))
                .containsExactly("/validate/url: expected https://, since \"allowPlaintext\" is not true, got http://");
        assertThat(problems(start + "{" + STS + ", 'soap': '1.3'}}"))
                .containsExactly("/validate/soap: expected \"1.1\" or \"1.2\", got \"1.3\"");
        assertThat(problems(start + "{" + STS + ", 'user': 'a'}}"))
                .containsExactly("/validate/user: expected both, user and password, or neither, got one of them");
        assertThat(problems(start + "{" + STS + ", 'user': 'a:b', 'password': {'secret': 'sts'}}}"))
                .containsExactly("/validate/user: expected at most 256 characters without \":\"");
    }
}
