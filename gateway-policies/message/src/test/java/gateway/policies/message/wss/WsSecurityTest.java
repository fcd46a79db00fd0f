package gateway.policies.message.wss;

import static gateway.policies.message.PolicyRun.text;
import static gateway.policies.message.PolicyRun.told;
import static gateway.policies.message.wss.SoapSmith.ENVELOPE;
import static gateway.policies.message.wss.SoapSmith.SIGN;
import static gateway.policies.message.wss.SoapSmith.VERIFY;
import static gateway.policies.message.wss.SoapSmith.made;
import static gateway.policies.message.wss.SoapSmith.requests;
import static gateway.policies.message.wss.SoapSmith.run;
import static gateway.policies.message.wss.SoapSmith.send;
import static gateway.policies.message.wss.SoapSmith.signed;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Consumer;
import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.json.InvalidConfigException;
import gateway.policies.message.PolicyRun;
import gateway.policy.FakeServices;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonPointer;

final class WsSecurityTest {
    private static final String ENCRYPT = "{\"encrypt\": {\"certificate\": {\"resource\": \"service.crt\"}}}";
    private static final String DECRYPT = "{\"decrypt\": {\"key\": {\"env\": \"GATEWAY_SECRET_SERVICE\"}}}";

    @Test
    void a_signed_message_goes_on_as_it_came_and_its_signer_is_the_caller() {
        PolicyRun run = requests(VERIFY);
        String message = signed();

        assertThat(send(run, message).status()).isEqualTo(200);

        assertThat(run.arrived()).isEqualTo(message);
        assertThat(run.last().consumer().map(Consumer::id)).contains("x509:CN=client,O=Example");
        assertThat(run.last()
                        .fact(JsonPointer.compile("/ws-security/subject"))
                        .orElseThrow()
                        .stringValue())
                .isEqualTo("CN=client,O=Example");
    }

    @ParameterizedTest
    @CsvSource({
        "client, rsa-sha256, token",
        "client, rsa-sha384, issuer-serial",
        "client, rsa-sha512, ski",
        "client, rsa-sha256, thumbprint",
        "ec, ecdsa-sha256, token",
        "ec, ecdsa-sha512, thumbprint"
    })
    void what_one_signs_the_other_verifies(String key, String algorithm, String identifier) {
        String sign = ("{\"sign\": {\"key\": {\"env\": \"GATEWAY_SECRET_%s\"}, \"algorithm\": \"%s\","
                        + " \"parts\": [\"body\"], \"keyIdentifier\": \"%s\"}}")
                .formatted(key.toUpperCase(Locale.ROOT), algorithm, identifier);
        String message = made(sign, ENVELOPE);
        String verify = "{\"verify\": {\"parts\": [\"body\"], \"algorithms\": [\"%s\"], \"trust\": {\"certificates\":"
                + " {\"resource\": \"%s.crt\"}}}}";
        PolicyRun run = requests(verify.formatted(algorithm, key));

        assertThat(send(run, message).status()).isEqualTo(200);
        assertThat(send(run, message.replace("1.50", "1.51")).status()).isEqualTo(500);
        String ofAny = verify.replace("\"algorithms\": [\"%s\"], ", "");
        assertThat(send(requests(ofAny.formatted("service")), message).status()).isEqualTo(500);
    }

    @Test
    void certificates_of_an_authority_are_taken_while_they_are_good_and_no_others() {
        String verify =
                "\"request\": [{\"verify\": {\"trust\": {\"authorities\": {\"resource\": \"authority.crt\"}}}}]";
        FakeServices services = SoapSmith.services();
        PolicyRun run = PolicyRun.of("{\"type\": \"ws-security\", " + verify + "}", services);
        String foreign = made(SIGN.replace("CLIENT", "STRANGER"), ENVELOPE);

        services.clock().set(Instant.parse("2027-01-01T00:00:00Z"));
        assertThat(send(run, signed()).status()).isEqualTo(200);
        assertThat(send(run, foreign).status()).isEqualTo(500);

        services.clock().set(Instant.parse("2200-01-01T00:00:00Z"));
        assertThat(send(run, signed()).status()).isEqualTo(500);
    }

    @Test
    void of_a_message_that_names_no_key_eight_are_tried() {
        String nameless = signed().replaceFirst("(?s)<ds:KeyInfo.*?</ds:KeyInfo>", "");

        assertThat(send(trusting(7), nameless).status()).isEqualTo(200);
        assertThat(send(trusting(8), nameless).status()).isEqualTo(500);
        assertThat(send(trusting(8), signed()).status()).isEqualTo(200);
    }

    /// All of them would be one caller.
    @Test
    void a_certificate_without_a_subject_signs_but_names_nobody() {
        String signed = made(
                SIGN.replace("CLIENT", "BARE").replace("{\"key\"", "{\"algorithm\": \"ecdsa-sha256\", \"key\""),
                ENVELOPE);
        String verify = VERIFY.replace("client.crt", "bare.crt");

        assertThat(send(requests(verify.replace(", \"consumer\": \"subject\"", "")), signed)
                        .status())
                .isEqualTo(200);
        assertThat(text(send(requests(verify), signed))).contains("FailedCheck");
    }

    /// @param strangers certificates before the one of whoever signs
    private static PolicyRun trusting(int strangers) {
        FakeServices services = SoapSmith.services();
        services.putResource(
                "many.crt", SoapSmith.file("stranger.crt").repeat(strangers) + SoapSmith.file("client.crt"));
        String steps = "{\"verify\": {\"trust\": {\"certificates\": {\"resource\": \"many.crt\"}}}}";
        return PolicyRun.of("{\"type\": \"ws-security\", \"request\": [" + steps + "]}", services);
    }

    @ParameterizedTest
    @CsvSource({"aes256-gcm, rsa-oaep-sha256, issuer-serial", "aes192-gcm, rsa-oaep, token", "aes128-gcm, rsa-oaep, ski"
    })
    void what_one_encrypts_the_other_opens(String cipher, String transport, String identifier) {
        String encrypt = ("{\"encrypt\": {\"certificate\": {\"resource\": \"service.crt\"}, \"algorithm\": \"%s\","
                        + " \"keyTransport\": \"%s\", \"keyIdentifier\": \"%s\"}}")
                .formatted(cipher, transport, identifier);
        String message = made(encrypt, ENVELOPE);
        PolicyRun run = requests(DECRYPT + ", {\"remove\": true}");

        assertThat(message).doesNotContain("1.50");
        assertThat(send(run, message).status()).isEqualTo(200);
        assertThat(run.arrived())
                .contains("<o:sum>1.50</o:sum>")
                .contains("<o:To>here</o:To>")
                .doesNotContain("Encrypted")
                .doesNotContain("Security");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void layers_are_taken_off_in_the_order_in_which_the_definition_says(boolean signedFirst) {
        String message = made(signedFirst ? SIGN + ", " + ENCRYPT : ENCRYPT + ", " + SIGN, ENVELOPE);
        PolicyRun run = requests(signedFirst ? DECRYPT + ", " + VERIFY : VERIFY + ", " + DECRYPT);

        assertThat(text(send(run, message))).doesNotContain("Fault");
        assertThat(run.arrived()).contains("<o:sum>1.50</o:sum>");
        int key = message.indexOf("EncryptedKey");
        assertThat(key < message.indexOf("SignedInfo")).as("the last first").isEqualTo(signedFirst);
    }

    @Test
    void a_message_that_was_encrypted_is_refused_when_a_letter_of_it_is_another_or_it_is_for_somebody_else() {
        String message = made(ENCRYPT, ENVELOPE);
        int value = message.lastIndexOf("CipherValue xmlns") + 80;
        char other = message.charAt(value) == 'A' ? 'B' : 'A';
        String changed = message.substring(0, value) + other + message.substring(value + 1);
        PolicyRun run = requests(DECRYPT);

        String ofChanged = text(send(run, changed));

        assertThat(run.arrived()).isEmpty();
        assertThat(text(send(requests(DECRYPT.replace("SERVICE", "CLIENT")), message)))
                .isEqualTo(ofChanged)
                .contains("FailedCheck");
        assertThat(text(send(run, ENVELOPE))).as("not encrypted at all").isEqualTo(ofChanged);
    }

    @Test
    void what_stands_beside_what_was_encrypted_was_not() {
        String message = made(ENCRYPT, ENVELOPE);
        PolicyRun run = requests(DECRYPT);

        for (String beside : List.of("more", "<![CDATA[ more]]>")) {
            String answer = text(send(run, message.replace("<s:Body>", "<s:Body>" + beside)));
            assertThat(answer).as(beside).contains("FailedCheck");
        }
        assertThat(send(run, message.replace("<s:Body>", "<s:Body>\n ")).status())
                .isEqualTo(200);
    }

    @Test
    void a_name_of_somebody_else_s_namespace_in_a_user_name_token_is_refused() {
        String message = made(
                "{\"add-username-token\": {\"name\": \"alice\", \"password\": {\"env\": \"GATEWAY_SECRET_ALICE\"}}}",
                ENVELOPE);
        for (String other :
                List.of("<o:Username>admin</o:Username>", "<wsse:Created>2036-01-01T00:00:00Z</wsse:Created>")) {
            PolicyRun run = requests(user(""));

            String answer = text(send(run, message.replaceFirst("(<wsse:UsernameToken[^>]*>)", "$1" + other)));

            assertThat(answer).as(other).contains("InvalidSecurity");
            assertThat(run.arrived()).isEmpty();
        }
    }

    @Test
    void a_user_name_token_is_taken_once_and_names_the_caller() {
        String add =
                "{\"add-username-token\": {\"name\": \"alice\", \"password\": {\"env\": \"GATEWAY_SECRET_ALICE\"}}}";
        String message = made(add, ENVELOPE);
        PolicyRun run = requests(user("") + ", {\"remove\": true}");

        assertThat(send(run, message).status()).isEqualTo(200);
        assertThat(run.last().consumer().map(Consumer::id)).contains("wss:alice");
        assertThat(run.arrived()).doesNotContain("Security").contains("<o:To>here</o:To>");
        assertThat(text(send(run, message))).contains("FailedAuthentication");
        assertThat(text(send(run, message.replace("alice", "bob")))).contains("FailedAuthentication");
        assertThat(text(send(run, made(add.replace("ALICE", "CLIENT"), ENVELOPE))))
                .contains("FailedAuthentication");
        assertThat(run.arrived()).isEmpty();
    }

    /// Its end is that of the node that took it first; here another one's clock is behind.
    @Test
    void a_user_name_token_is_known_for_as_long_as_any_node_takes_it() {
        FakeServices services = SoapSmith.services();
        PolicyRun run = PolicyRun.of("{\"type\": \"ws-security\", \"request\": [" + user("") + "]}", services);
        String message = made(
                "{\"add-username-token\": {\"name\": \"alice\", \"password\": {\"env\": \"GATEWAY_SECRET_ALICE\"}}}",
                ENVELOPE);
        assertThat(send(run, message).status()).isEqualTo(200);

        services.shortTerm().isAhead(Duration.ofSeconds(30));
        services.clock().advance(Duration.ofSeconds(330).minusMillis(1));

        assertThat(text(send(run, message))).contains("FailedAuthentication");
    }

    @Test
    void a_password_as_it_is_comes_by_tls_unless_the_definition_says_otherwise() {
        String message = made(
                "{\"add-username-token\": {\"name\": \"alice\", \"type\": \"text\","
                        + " \"password\": {\"env\": \"GATEWAY_SECRET_ALICE\"}}}",
                ENVELOPE);

        assertThat(send(requests(user("")), message).status())
                .as("not a digest")
                .isEqualTo(500);
        assertThat(send(requests(user("\"type\": \"text\", ")), message).status())
                .isEqualTo(500);
        assertThat(send(requests(user("\"type\": \"text\", \"allowPlaintext\": true, ")), message)
                        .status())
                .isEqualTo(200);
        Response overTls = requests(user("\"type\": \"any\", "))
                .send(Exchanges.of("POST", "/")
                        .scheme("https")
                        .with("Content-Type", "text/xml")
                        .body(message));
        assertThat(overTls.status()).isEqualTo(200);
    }

    private static String user(String more) {
        return "{\"username-token\": {" + more
                + "\"users\": [{\"name\": \"alice\", \"password\": {\"env\": \"GATEWAY_SECRET_ALICE\"}}]}}";
    }

    @ParameterizedTest
    @CsvSource({"-331, expired", "-329, taken", "0, taken", "29, taken", "31, not yet"})
    void a_timestamp_is_good_for_a_while(int seconds, String verdict) {
        FakeServices services = SoapSmith.services();
        PolicyRun run = PolicyRun.of("{\"type\": \"ws-security\", \"request\": [{\"timestamp\": {}}]}", services);
        String message = made("{\"add-timestamp\": {\"lifetime\": \"10m\"}}", ENVELOPE);
        services.clock().advance(Duration.ofSeconds(-seconds));

        Response answer = send(run, message);

        String expected = switch (verdict) {
            case "expired" -> "MessageExpired";
            case "not yet" -> "InvalidSecurity";
            default -> "";
        };
        assertThat(answer.status()).isEqualTo(expected.isEmpty() ? 200 : 500);
        assertThat(text(answer)).contains(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<wsu:Timestamp/>",
                "<wsu:Timestamp><wsu:Created>2026-06-01</wsu:Created></wsu:Timestamp>",
                "<wsu:Timestamp><wsu:Created>2026-06-01T00:00:00</wsu:Created></wsu:Timestamp>",
                "<wsu:Timestamp><wsu:Created>2026-06-01T00:00:00Z</wsu:Created>"
                        + "<wsu:Created>2026-06-01T00:00:00Z</wsu:Created></wsu:Timestamp>",
                "<wsu:Timestamp><wsu:Created>2026-06-01T00:00:00Z</wsu:Created><x/></wsu:Timestamp>",
                "<wsu:Timestamp><wsu:Created>2026-06-01T00:00:00Z</wsu:Created>"
                        + "<wsu:Expires>2026-05-31T00:00:00Z</wsu:Expires></wsu:Timestamp>"
            })
    void a_timestamp_that_is_none_is_refused(String timestamp) {
        String message = made("{\"add-timestamp\": {}}", ENVELOPE)
                .replaceFirst(
                        "<wsu:Timestamp.*</wsu:Timestamp>",
                        timestamp.replace("<wsu:Timestamp", "<wsu:Timestamp xmlns:wsu=\"" + SecurityName.WSU + '"'));

        assertThat(text(send(requests("{\"timestamp\": {}}"), message))).contains("InvalidSecurity");
    }

    @Test
    void an_answer_is_signed_for_the_client_and_one_of_the_upstream_is_verified() {
        PolicyRun signing = run("\"response\": [" + SIGN + "]");
        signing.answering(Response.of(200, "text/xml", ENVELOPE.getBytes(UTF_8)));
        String answer = text(send(signing, ENVELOPE));
        PolicyRun verifying = run("\"response\": [" + VERIFY.replace(", \"consumer\": \"subject\"", "") + "]");

        assertThat(answer).contains("SignatureValue").contains("mustUnderstand=\"1\"");
        assertThat(text(send(verifying.answering(Response.of(200, "text/xml", answer.getBytes(UTF_8))), ENVELOPE)))
                .isEqualTo(answer);
        Response refused = send(verifying.answering(Response.of(200, "text/xml", ENVELOPE.getBytes(UTF_8))), ENVELOPE);
        assertThat(refused.status()).isEqualTo(502);
        assertThat(refused.reason()).isEqualTo("response-refused");
    }

    @Test
    void an_answer_without_content_is_not_signed_and_not_taken_for_a_signed_one() {
        PolicyRun signing = run("\"response\": [" + SIGN + ", " + ENCRYPT + "]");
        PolicyRun verifying = run("\"response\": [" + VERIFY.replace(", \"consumer\": \"subject\"", "") + "]");

        assertThat(send(signing.answering(Response.of(202)), ENVELOPE).status()).isEqualTo(202);
        assertThat(send(verifying.answering(Response.of(202)), ENVELOPE).reason())
                .isEqualTo("response-refused");
        assertThat(send(run("\"request\": [" + SIGN + "]"), "").status()).isEqualTo(500);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"response\"", "\"stage\": \"upstream\", \"response\""})
    void a_web_socket_is_not_opened_where_answers_have_to_be_signed(String list) {
        String verify = VERIFY.replace(", \"consumer\": \"subject\"", "");
        for (String steps : List.of(SIGN, verify)) {
            PolicyRun run = run(list + ": [" + steps + "]").answering(Response.of(101));

            Response answer = run.send(Exchanges.get("/").openingWebSocket());

            assertThat(told(answer)).isEqualTo("415 unsupported-media-type");
        }
    }

    @Test
    void a_fault_is_of_the_version_that_a_type_in_any_case_says() {
        Response answer = requests(VERIFY)
                .send(Exchanges.of("POST", "/")
                        .with("Content-Type", "Application/SOAP+XML; charset=utf-8")
                        .body(ENVELOPE.replace(
                                "http://schemas.xmlsoap.org/soap/envelope/",
                                "http://www.w3.org/2003/05/soap-envelope")));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(text(answer)).contains("http://www.w3.org/2003/05/soap-envelope");
    }

    @Test
    void who_is_refused_gets_a_fault_of_his_soap_or_a_problem() {
        String newer = ENVELOPE.replace(
                "http://schemas.xmlsoap.org/soap/envelope/", "http://www.w3.org/2003/05/soap-envelope");
        PolicyRun faults = requests(VERIFY);

        Response old = send(faults, ENVELOPE);
        Response of12 = faults.send(Exchanges.of("POST", "/")
                .with("Content-Type", "application/soap+xml; charset=utf-8")
                .body(newer));
        Response problem = send(run("\"fault\": false, \"request\": [" + VERIFY + "]"), ENVELOPE);

        assertThat(old.status()).isEqualTo(500);
        assertThat(old.reason()).isEqualTo("unauthenticated");
        assertThat(text(old)).contains(">wsse:InvalidSecurity</faultcode>");
        assertThat(of12.status()).isEqualTo(400);
        assertThat(text(of12)).contains("soap:Sender").contains("http://www.w3.org/2003/05/soap-envelope");
        assertThat(problem.status()).isEqualTo(401);
        assertThat(problem.headers().first("WWW-Authenticate")).contains("WSSE realm=\"orders\"");
        assertThat(send(faults, "<a").status()).isEqualTo(400);
        assertThat(faults.post("{}").status()).isEqualTo(415);
    }

    @Test
    void what_would_be_refused_is_told_in_report_mode() {
        PolicyRun run =
                run("\"mode\": \"report\", \"request\": [" + VERIFY.replace(", \"consumer\": \"subject\"", "") + "]");

        assertThat(send(run, ENVELOPE).status()).isEqualTo(200);
        assertThat(run.arrived()).isEqualTo(ENVELOPE);
        assertThat(run.reported()).containsExactly("ws-security:unauthenticated");
        assertThatThrownBy(() -> run("\"mode\": \"report\", \"request\": [" + VERIFY + "]"))
                .isInstanceOf(InvalidConfigException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"verify\": {}}",
                "{\"verify\": {\"trust\": {}}}",
                "{\"verify\": {\"trust\": {\"certificates\": \"-\"}}}",
                "{\"verify\": {\"trust\": {\"certificates\": {\"resource\": \"client.crt\"}}, \"parts\": [\"all\"]}}",
                "{\"verify\": {\"trust\": {\"certificates\": {\"resource\": \"client.crt\"}}, \"algorithms\": [\"rsa-sha1\"]}}",
                "{\"verify\": {\"trust\": {\"certificates\": {\"resource\": \"client.crt\"}}, \"algorithms\": [\"ecdsa-sha256\"]}}",
                "{\"username-token\": {\"users\": [{\"name\": \" alice\", \"password\": {\"env\": \"GATEWAY_SECRET_ALICE\"}}]}}",
                "{\"sign\": {\"key\": {\"env\": \"GATEWAY_SECRET_ALICE\"}}}",
                "{\"sign\": {\"key\": {\"env\": \"GATEWAY_SECRET_EC\"}}}",
                "{\"decrypt\": {\"key\": {\"env\": \"GATEWAY_SECRET_EC\"}}}",
                "{\"encrypt\": {\"certificate\": {\"resource\": \"ec.crt\"}}}",
                "{\"encrypt\": {\"certificate\": {\"resource\": \"client.crt\"}, \"algorithm\": \"aes256-cbc\"}}",
                "{\"username-token\": {\"users\": []}}",
                "{\"add-username-token\": {\"name\": \"a\\u0001\", \"password\": {\"env\": \"GATEWAY_SECRET_ALICE\"}}}",
                "{\"timestamp\": {}, \"remove\": true}"
            })
    void steps_that_cannot_be_done_are_refused_when_they_are_written(String step) {
        assertThatThrownBy(() -> requests(step)).isInstanceOf(InvalidConfigException.class);
    }

    @Test
    void an_actor_is_a_uri() {
        for (String actor : List.of("a\\u0001", "a b", "\\uffff"))
            assertThatThrownBy(() -> run("\"actor\": \"" + actor + "\", \"request\": [{\"add-timestamp\": {}}]"))
                    .isInstanceOf(InvalidConfigException.class)
                    .hasMessageStartingWith("/policies/0/actor: expected a URI of at most 1024 characters");
        run("\"actor\": \"urn:next\", \"request\": [{\"add-timestamp\": {}}]");
    }
}
