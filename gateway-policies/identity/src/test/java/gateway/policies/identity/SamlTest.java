package gateway.policies.identity;

import static gateway.policies.identity.SamlCase.form;
import static gateway.policies.identity.SamlCase.header;
import static gateway.policies.identity.SamlCase.held;
import static gateway.policies.identity.SamlCase.problems;
import static gateway.policies.identity.SamlCase.said;
import static gateway.policies.identity.SamlCase.soap;
import static gateway.policies.identity.SamlCase.stop;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.ClientCertificate;
import gateway.http.Consumer;
import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.json.InvalidConfigException;
import gateway.key.ApiGrant;
import gateway.key.ApiKey;
import gateway.policy.Policy;
import gateway.service.DependencyException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.security.auth.x500.X500Principal;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonPointer;

final class SamlTest {
    private static final SamlSmith RSA = SamlSmith.rsa(2048);
    private static final SamlSmith EC = SamlSmith.ec();
    private static final String INVALID = "401 The assertion is invalid";
    private static final String EXPIRED = "401 The assertion is expired";
    private static final String MISSING = "401 The assertion is missing";

    private final SamlCase rsa = new SamlCase(RSA);

    @Test
    void takes_assertions_signed_by_rsa_and_ec_keys_wherever_they_may_stand() {
        for (SamlSmith smith : List.of(RSA, EC)) {
            var one = new SamlCase(smith);
            String alone = one.signed();
            String inResponse = SamlSmith.response(alone, one.now());
            String response = smith.sign(SamlSmith.response(one.assertion(), one.now()), "response");
            String both = smith.sign(inResponse, "response");

            for (String each : List.of(alone, inResponse, response, both)) {
                assertThat(said(one.policy("header", "'once': false"), header(each)))
                        .isEqualTo("passes");
            }
            for (String each : List.of(inResponse, response, both)) {
                assertThat(said(one.policy("form", "'once': false"), form(each)))
                        .isEqualTo("passes");
            }
            assertThat(said(one.policy("soap-header", ""), soap(SamlSmith.envelope(alone))))
                    .isEqualTo("passes");
        }
    }

    @Test
    void takes_each_algorithm_that_the_definition_lists_and_no_other() {
        Map<String, String> digests = Map.of(
                "256", "http://www.w3.org/2001/04/xmlenc#sha256",
                "384", "http://www.w3.org/2001/04/xmldsig-more#sha384",
                "512", "http://www.w3.org/2001/04/xmlenc#sha512");
        for (SamlSmith smith : List.of(RSA, EC)) {
            var one = new SamlCase(smith);
            digests.forEach((bits, digest) -> {
                String word = (smith.equals(RSA) ? "rsa-sha" : "ecdsa-sha") + bits;
                String other = (smith.equals(RSA) ? "rsa-sha" : "ecdsa-sha") + (bits.equals("256") ? "384" : "256");
                String signed = signedBy(one, "http://www.w3.org/2001/04/xmldsig-more#" + word, digest);

                assertThat(said(one.policy("header", "'once': false"), header(signed)))
                        .isEqualTo("passes");
                assertThat(said(one.policy("header", "'once': false, 'algorithms': ['" + word + "']"), header(signed)))
                        .isEqualTo("passes");
                assertThat(said(one.policy("header", "'once': false, 'algorithms': ['" + other + "']"), header(signed)))
                        .isEqualTo(INVALID);
            });
        }
    }

    @Test
    void weak_algorithms_and_keys_are_refused() {
        String rsa256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";
        String sha256 = "http://www.w3.org/2001/04/xmlenc#sha256";
        Policy policy = rsa.policy("header", "");
        for (String signed : List.of(
                signedBy(rsa, "http://www.w3.org/2000/09/xmldsig#rsa-sha1", sha256),
                signedBy(rsa, rsa256, "http://www.w3.org/2000/09/xmldsig#sha1"),
                rsa.signed().replace(rsa256, "http://www.w3.org/2001/04/xmldsig-more#rsa-md5"),
                rsa.signed().replace(rsa256, "http://www.w3.org/2000/09/xmldsig#hmac-sha1"),
                rsa.signed().replace(rsa256, "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256"))) {
            assertThat(said(policy, header(signed))).isEqualTo(INVALID);
        }
        assertThat(problems("{'from': 'header', 'audience': 'a', " + SamlCase.trust(SamlSmith.rsa(1024)) + "}"))
                .hasSize(1)
                .allSatisfy(problem -> assertThat(problem).startsWith("/trust/certificates: expected PEM of 1 to 8"));
    }

    @Test
    void names_the_caller_and_leaves_what_is_said_of_it_as_facts() {
        Policy policy =
                rsa.policy("header", "'consumer': {'tags': 'attribute:groups', 'metadata': {'sid': 'session'}}");
        Exchange exchange = header(rsa.signed());

        assertThat(stop(policy, exchange)).isEmpty();

        Consumer caller = exchange.consumer().orElseThrow();
        assertThat(caller.id()).isEqualTo("saml:alice");
        assertThat(caller.tags()).containsExactly("readers", "writers");
        assertThat(caller.metadata()).isEqualTo(Map.of("sid", "s1"));
        assertThat(fact(exchange, "/saml/issuer")).isEqualTo("https://idp.example.com");
        assertThat(fact(exchange, "/claims/attribute:groups/1")).isEqualTo("writers");
    }

    @Test
    void a_caller_may_stand_for_an_api_key() {
        ApiKey alice = rsa.services.keys().add("s3cret", key());
        Policy policy = rsa.policy("header", "'once': false, 'consumer': {'key': 'attribute:groups'}");
        Exchange exchange = header(RSA.sign(
                rsa.assertion()
                        .replace("readers", alice.id())
                        .replace("<saml:AttributeValue>writers</saml:AttributeValue>", ""),
                "assertion"));

        assertThat(stop(policy, exchange)).isEmpty();
        assertThat(exchange.consumer()).contains(alice);
        assertThat(said(rsa.policy("header", "'consumer': {'key': 'name-id'}"), header(rsa.signed())))
                .isEqualTo("401 The token's API key does not exist");
    }

    @Test
    void an_assertion_whose_key_cannot_be_looked_up_may_come_again() {
        ApiKey alice = rsa.services.keys().add("s3cret", key());
        Policy policy = rsa.policy("header", "'consumer': {'key': 'name-id'}");
        String xml = RSA.sign(rsa.assertion().replace("alice", alice.id()), "assertion");

        rsa.services.keys().goAway();
        assertThatThrownBy(() -> said(policy, header(xml))).isInstanceOf(DependencyException.class);
        rsa.services.keys().comeBack();

        assertThat(said(policy, header(xml))).isEqualTo("passes");
        assertThat(said(policy, header(xml))).isEqualTo(INVALID);
    }

    @Test
    void an_assertion_is_used_up_when_nothing_is_left_to_do_but_let_its_caller_pass() {
        Policy policy = rsa.policy("form", "'remove': true");
        Exchange exchange = form(SamlSmith.response(rsa.signed(), rsa.now()));
        rsa.services.shortTerm().goAway();

        assertThatThrownBy(() -> said(policy, exchange)).isInstanceOf(DependencyException.class);

        assertThat(sent(exchange)).isEqualTo("a=1&RelayState=x");
    }

    @Test
    void having_a_request_explained_asks_no_service_and_uses_no_assertion_up() {
        assertThat(effect("")).contains("it takes each assertion once");
        assertThat(effect(", 'once': false")).isEmpty();
        for (String once : List.of("true", "false")) {
            assertThat(effect(", 'once': " + once + ", 'validate': {'url': 'https://sts.example/trust'}"))
                    .contains("it calls https://sts.example");
        }
    }

    private static Optional<String> effect(String more) {
        return SamlCase.spec("{'from': 'header', 'audience': 'a', " + SamlCase.trust(RSA) + more + "}")
                .sideEffect();
    }

    @Test
    void tells_what_is_missing_and_what_is_asked_for() {
        String xml = rsa.signed();
        for (Exchange each : List.of(
                Exchanges.get("/").make(),
                Exchanges.get("/").with("Authorization", "Bearer x").make(),
                form(SamlSmith.response(xml, rsa.now())))) {
            assertThat(said(rsa.policy("header", ""), each)).isEqualTo(MISSING);
        }
        assertThat(said(rsa.policy("form", ""), held("application/x-www-form-urlencoded", bytes("a=1"))))
                .isEqualTo(MISSING);
        assertThat(said(rsa.policy("form", ""), header(xml))).isEqualTo(MISSING);
        for (String each : List.of("<a/>", SamlSmith.envelope(""))) {
            assertThat(said(rsa.policy("soap-header", ""), soap(each))).isEqualTo(MISSING);
        }
        assertThat(stop(rsa.policy("header", ""), Exchanges.get("/").make())
                        .orElseThrow()
                        .headers()
                        .first("WWW-Authenticate"))
                .contains("SAML realm=\"orders\"");
    }

    @Test
    void what_is_no_assertion_is_invalid() {
        for (String each : List.of("", "x", "<a/>", "<a", "<saml:Assertion/>", rsa.assertion())) {
            assertThat(said(rsa.policy("header", ""), header(each))).isEqualTo(INVALID);
        }
        for (String each : List.of("!!!", "A", "A".repeat(70_000), "PGEvPg")) {
            assertThat(said(
                            rsa.policy("header", ""),
                            Exchanges.get("/")
                                    .with("Authorization", "SAML " + each)
                                    .make()))
                    .isEqualTo(INVALID);
        }
    }

    @Test
    void an_assertion_for_one_time_is_not_used_by_whoever_has_it_explained() {
        Policy often = rsa.policy("header", "'once': false");
        String itself = RSA.sign(
                rsa.assertion().replace("</saml:Conditions>", "<saml:OneTimeUse/></saml:Conditions>"), "assertion");

        assertThat(said(often, supposed(itself))).isEqualTo("passes");
        assertThat(said(often, supposed(itself))).isEqualTo("passes");
        assertThat(said(often, header(itself))).isEqualTo("passes");
        assertThat(said(often, supposed(itself))).isEqualTo(INVALID);
    }

    private static Exchange supposed(String assertion) {
        Exchange exchange = header(assertion);
        exchange.suppose();
        return exchange;
    }

    /// Its end is that of the node that took it first; here another one's clock is behind.
    @Test
    void an_assertion_that_was_taken_is_known_for_as_long_as_any_node_takes_it() {
        Policy policy = rsa.policy("header", "");
        String signed = rsa.signed(); // for five minutes, and half a minute of skew
        assertThat(said(policy, header(signed))).isEqualTo("passes");

        rsa.services.shortTerm().isAhead(Duration.ofSeconds(30));
        rsa.services.clock().advance(Duration.ofSeconds(330).minusMillis(1));

        assertThat(said(policy, header(signed))).isEqualTo(INVALID);
    }

    @Test
    void an_assertion_is_taken_once_until_it_ends_unless_the_definition_says_otherwise() {
        Policy once = rsa.policy("header", "");
        Policy often = rsa.policy("header", "'once': false");
        String xml = rsa.signed();
        String itself = RSA.sign(
                rsa.assertion().replace("</saml:Conditions>", "<saml:OneTimeUse/></saml:Conditions>"), "assertion");

        assertThat(said(once, header(xml))).isEqualTo("passes");
        assertThat(said(once, header(xml))).isEqualTo(INVALID);
        assertThat(said(often, header(xml))).isEqualTo("passes");
        assertThat(said(often, header(xml))).isEqualTo("passes");
        assertThat(said(
                        rsa.read("{'from': 'header', 'audience': 'urn:orders', 'once': false, " + SamlCase.trust(RSA)
                                + "}"),
                        header(itself)))
                .isEqualTo(INVALID); // in the place where the first was taken
    }

    @Test
    void the_clock_decides_at_the_border() {
        String xml = rsa.signed();
        Policy policy = rsa.policy("header", "'once': false");

        rsa.services.clock().advance(Duration.ofSeconds(329));
        assertThat(said(policy, header(xml))).isEqualTo("passes");
        rsa.services.clock().advance(Duration.ofSeconds(1));
        assertThat(said(policy, header(xml))).isEqualTo(EXPIRED);

        String early = RSA.sign(SamlSmith.assertion("assertion", rsa.now().plusSeconds(30)), "assertion");
        String tooEarly = RSA.sign(SamlSmith.assertion("assertion", rsa.now().plusSeconds(32)), "assertion");
        assertThat(said(policy, header(early))).isEqualTo("passes");
        assertThat(said(policy, header(tooEarly))).isEqualTo(INVALID);
    }

    @Test
    void a_login_that_is_too_long_ago_is_expired_and_so_is_an_ended_session() {
        Policy policy = rsa.policy("header", "'once': false, 'maxAge': '10m'");
        String now = rsa.now().toString();
        String old = rsa.now().minusSeconds(640).toString();

        assertThat(said(policy, altered("AuthnInstant=\"" + now, "AuthnInstant=\"" + old)))
                .isEqualTo(EXPIRED);
        assertThat(said(policy, altered("SessionIndex=\"s1\"", "SessionNotOnOrAfter=\"" + old + "\"")))
                .isEqualTo(EXPIRED);
        assertThat(said(policy, altered("<saml:AuthnStatement AuthnInstant=\"" + now + "\" SessionIndex=\"s1\"/>", "")))
                .isEqualTo("passes");
    }

    @Test
    void each_thing_that_an_assertion_has_to_say_is_asked_for() {
        String now = rsa.now().toString();
        String end = rsa.now().plusSeconds(300).toString();
        Policy policy = rsa.policy("header", "'once': false");
        String[][] changes = {
            {"https://idp.example.com", "https://idp.example.com/"},
            {"Version=\"2.0\"", "Version=\"1.1\""},
            {"Version=\"2.0\"", ""},
            {"IssueInstant=\"" + now + "\"", ""},
            {"IssueInstant=\"" + now + "\"", "IssueInstant=\"yesterday\""},
            {"NotBefore=\"" + now + "\" NotOnOrAfter=\"" + end + "\"", "NotBefore=\"" + now + "\""},
            {"NotBefore=\"" + now + "\" NotOnOrAfter=\"" + end + "\"", "NotOnOrAfter=\"+999999999-01-01T00:00:00Z\""},
            {"<saml:Audience>urn:orders</saml:Audience>", "<saml:Audience>urn:other</saml:Audience>"},
            {"<saml:Audience>urn:orders</saml:Audience>", ""},
            {"<saml:AudienceRestriction><saml:Audience>urn:orders</saml:Audience></saml:AudienceRestriction>", ""},
            {
                "</saml:AudienceRestriction>",
                "</saml:AudienceRestriction><saml:AudienceRestriction><saml:Audience>urn:other</saml:Audience>"
                        + "</saml:AudienceRestriction>"
            },
            {"</saml:Conditions>", "<x:Unknown xmlns:x=\"urn:x\"/></saml:Conditions>"},
            {"</saml:Conditions>", "</saml:Conditions><saml:Conditions NotOnOrAfter=\"" + end + "\"/>"},
            {"cm:bearer", "cm:sender-vouches"},
            {"cm:bearer", "cm:holder-of-key"},
            {"https://api.example.com/orders", "https://evil.example.com/orders"},
            {"<saml:NameID>alice</saml:NameID>", ""},
            {"<saml:NameID>alice</saml:NameID>", "<saml:NameID/>"},
            {"<saml:NameID>alice</saml:NameID>", "<saml:NameID>al<b/>ice</saml:NameID>"},
            {"<saml:NameID>alice</saml:NameID>", "<saml:NameID>a</saml:NameID><saml:NameID>b</saml:NameID>"},
        };
        for (String[] each : changes) {
            assertThat(rsa.assertion()).as(each[0]).contains(each[0]);
            assertThat(said(policy, altered(each[0], each[1]))).as(each[1]).isEqualTo(INVALID);
        }
    }

    @Test
    void what_a_browser_brings_has_to_say_where_it_may_be_shown_and_when_the_user_logged_in() {
        String now = rsa.now().toString();
        Policy policy = rsa.policy("form", "'once': false");
        String[][] changes = {
            {" Recipient=\"https://api.example.com/orders\"", ""},
            {"NotOnOrAfter=\"" + rsa.now().plusSeconds(300) + "\" Recipient", "Recipient"},
            {"<saml:AuthnStatement AuthnInstant=\"" + now + "\" SessionIndex=\"s1\"/>", ""},
        };
        for (String[] each : changes) {
            String signed = RSA.sign(rsa.assertion().replace(each[0], each[1]), "assertion");

            assertThat(said(policy, form(SamlSmith.response(signed, rsa.now()))))
                    .as(each[0])
                    .isEqualTo(INVALID);
        }
        String good = SamlSmith.response(rsa.signed(), rsa.now());
        for (String each : List.of(
                good.replace("status:Success", "status:Requester"),
                good.replaceFirst("https://idp.example.com", "https://other.example.com"),
                good.replaceFirst("https://api.example.com/orders", "https://evil.example.com"))) {
            assertThat(said(policy, form(each))).isEqualTo(INVALID);
        }
        assertThat(said(policy, form(good))).isEqualTo("passes");
    }

    @Test
    void a_holder_of_a_key_shows_its_certificate() throws Exception {
        byte[] certificate = Base64.getDecoder().decode(EC.base64());
        String digest =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(certificate));
        String held = rsa.assertion()
                .replace("cm:bearer", "cm:holder-of-key")
                .replace(
                        "Recipient=\"https://api.example.com/orders\"/>",
                        "><ds:KeyInfo xmlns:ds=\"http://www.w3.org/2000/09/xmldsig#\"><ds:X509Data><ds:X509Certificate>"
                                + EC.base64()
                                + "</ds:X509Certificate></ds:X509Data></ds:KeyInfo></saml:SubjectConfirmationData>");
        String xml = RSA.sign(held, "assertion");
        for (String more : List.of("'once': false", "'once': false, 'boundTo': 'certificate'")) {
            Policy policy = rsa.policy("header", more);

            assertThat(said(policy, showing(xml, digest))).isEqualTo("passes");
            assertThat(said(policy, showing(xml, "0".repeat(64)))).isEqualTo(INVALID);
            assertThat(said(policy, header(xml))).isEqualTo(INVALID);
        }
        assertThat(said(rsa.policy("header", "'boundTo': 'certificate'"), showing(rsa.signed(), digest)))
                .isEqualTo(INVALID);
    }

    @Test
    void takes_the_assertion_out_of_what_goes_on_when_the_definition_says_so() throws Exception {
        Exchange header = header(rsa.signed());
        Exchange kept = header(rsa.signed());
        Exchange form = form(SamlSmith.response(rsa.signed(), rsa.now()));
        Exchange soap = soap(SamlSmith.envelope(rsa.signed()));
        Exchange latin = held(
                "application/soap+xml; charset=ISO-8859-1; action=\"x\"",
                SamlSmith.envelope("<x>é</x>" + rsa.signed()).getBytes(StandardCharsets.ISO_8859_1));

        assertThat(stop(rsa.policy("header", "'once': false"), header)).isEmpty();
        assertThat(stop(rsa.policy("header", "'once': false, 'remove': false"), kept))
                .isEmpty();
        assertThat(stop(rsa.policy("form", "'once': false, 'remove': true"), form))
                .isEmpty();
        for (Exchange each : List.of(soap, latin)) {
            assertThat(stop(rsa.policy("soap-header", "'once': false, 'remove': true"), each))
                    .isEmpty();
        }

        assertThat(header.headers().contains("Authorization")).isFalse();
        assertThat(kept.headers().contains("Authorization")).isTrue();
        assertThat(sent(form)).isEqualTo("a=1&RelayState=x");
        assertThat(sent(soap))
                .isEqualTo("<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Header/>"
                        + "<s:Body><order id=\"7\"/><line id=\"7\"/></s:Body></s:Envelope>");
        assertThat(sent(latin)).contains("<x>é</x></w:Security>").doesNotContain("Assertion");
        assertThat(latin.headers().first("Content-Type")).contains("application/soap+xml; charset=utf-8; action=\"x\"");
    }

    @Test
    void a_request_that_needs_no_credential_passes_without_the_one_it_has() {
        Exchange exchange = soap(SamlSmith.envelope(rsa.signed()));
        exchange.waiveAuthentication();

        assertThat(stop(rsa.policy("soap-header", "'remove': true"), exchange)).isEmpty();
        assertThat(sent(exchange)).doesNotContain("Assertion");
        assertThat(exchange.consumer()).isEmpty();
    }

    @Test
    void certificates_and_metadata_may_be_stored() {
        String metadata = """
                <md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example.com">
                <md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
                <md:KeyDescriptor use="%s"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data>
                <ds:X509Certificate>%s</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
                </md:IDPSSODescriptor></md:EntityDescriptor>""";
        rsa.services.putResource("idp.pem", "Subject: idp\n" + EC.pem() + RSA.pem());
        rsa.services.putResource("idp.xml", metadata.formatted("signing", RSA.base64()));
        rsa.services.putResource("enc.xml", metadata.formatted("encryption", RSA.base64()));

        assertThat(said(trusting("'certificates': {'resource': 'idp.pem'}"), header(rsa.signed())))
                .isEqualTo("passes");
        assertThat(said(trusting("'metadata': {'resource': 'idp.xml'}"), header(rsa.signed())))
                .isEqualTo("passes");
        assertThatThrownBy(() -> trusting("'metadata': {'resource': 'enc.xml'}"))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageStartingWith("/trust/metadata: expected metadata of");
        assertThatThrownBy(() -> trusting("'certificates': {'resource': 'none.pem'}"))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageStartingWith("/trust/certificates: ");
    }

    @Test
    void each_problem_of_a_definition_stands_under_its_pointer() {
        assertThat(problems("{}"))
                .anyMatch(each -> each.startsWith("/audience: "))
                .anyMatch(each -> each.startsWith("/trust: "));
        assertThat(problems("{'from': 'form', 'audience': 'a', " + SamlCase.trust(RSA) + "}"))
                .containsExactly("/recipient: expected the URL of this API, since from is form, got nothing");
        assertThat(problems(
                        "{'from': 'header', 'audience': 'a', 'algorithms': ['rsa-sha1'], " + SamlCase.trust(RSA) + "}"))
                .anyMatch(each -> each.startsWith("/algorithms/0: expected one of rsa-sha256"));
        assertThat(
                        problems(
                                "{'from': 'header', 'audience': 'a', 'trust': {'issuer': 'i', 'certificates': 'x', 'metadata': '<a/>'}}"))
                .anyMatch(each -> each.equals("/trust: expected one of certificates, metadata and metadataUrl, got 2"));
    }

    private static ApiKey key() {
        return new ApiKey(
                "",
                "alice",
                true,
                Optional.empty(),
                Map.of("orders", ApiGrant.WHOLE),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Map.of());
    }

    private Policy trusting(String keys) {
        return rsa.read("{'from': 'header', 'audience': 'urn:orders', 'once': false, 'trust': {'issuer':"
                + " 'https://idp.example.com', " + keys + "}}");
    }

    private Exchange altered(String from, String to) {
        return header(RSA.sign(rsa.assertion().replace(from, to), "assertion"));
    }

    private static Exchange showing(String xml, String digest) {
        String text = Base64.getEncoder().encodeToString(bytes(xml));
        var certificate = new ClientCertificate(digest, new X500Principal("CN=alice"));
        return Exchanges.get("/")
                .with("Authorization", "SAML " + text)
                .showing(certificate)
                .make();
    }

    private static String signedBy(SamlCase one, String method, String digest) {
        List<String> transforms = List.of("http://www.w3.org/2000/09/xmldsig#enveloped-signature", SamlSmith.EXCLUSIVE);
        return one.smith.sign(one.assertion(), "assertion", method, digest, "#assertion", transforms);
    }

    private static String fact(Exchange exchange, String pointer) {
        return exchange.fact(JsonPointer.compile(pointer)).orElseThrow().stringValue();
    }

    private static String sent(Exchange exchange) {
        return new String(exchange.outgoing().body().bytes(Long.MAX_VALUE), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
