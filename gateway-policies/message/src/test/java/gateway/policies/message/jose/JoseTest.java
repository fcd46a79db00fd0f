package gateway.policies.message.jose;

import static gateway.policies.message.PolicyRun.text;
import static gateway.policies.message.PolicyRun.told;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSADecrypter;
import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.key.ApiKey;
import gateway.key.KeyCredential;
import gateway.policies.message.PolicyRun;
import gateway.policy.FakeServices;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.service.SecretReference.Origin;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

final class JoseTest {
    private static final String A = "{\"env\": \"GATEWAY_SECRET_A\"}";
    private static final String ORDER = "{\"id\":7,\"card\":\"4111\",\"sum\":1.50}";
    private static final String SIGN = "\"response\": [{\"sign\": {\"key\": " + A + ", \"algorithm\": \"ES256\"}}]";

    @Test
    void an_answer_is_signed_and_says_by_whom_and_what() throws Exception {
        PolicyRun run = JoseSmith.run(SIGN, JoseSmith.EC.toJSONString()).answering(ORDER);

        Response answer = run.send(Exchanges.get("/"));

        JWSObject signed = JWSObject.parse(text(answer));
        assertThat(signed.verify(new ECDSAVerifier(JoseSmith.EC))).isTrue();
        assertThat(signed.getPayload()).hasToString(ORDER);
        assertThat(signed.getHeader().getKeyID()).isEqualTo("ours");
        assertThat(signed.getHeader().getContentType()).isEqualTo("json");
        assertThat(answer.headers().first("Content-Type")).contains("application/jose");
    }

    @Test
    void a_signed_request_goes_on_as_what_was_signed() {
        PolicyRun run = verifying("compact");

        run.send(Exchanges.of("POST", "/")
                .with("Content-Type", "application/jose")
                .body(signed(ORDER)));

        assertThat(run.arrived()).isEqualTo(ORDER);
        assertThat(run.last().headers().first("Content-Type")).contains("application/json");
        assertThat(run.last()
                        .fact(JsonPointer.compile("/jose/kid"))
                        .orElseThrow()
                        .stringValue())
                .isEqualTo("ours");
    }

    @ParameterizedTest
    @CsvSource({
        "RSA, RSA-OAEP-256, A256GCM",
        "RSA, RSA-OAEP-384, A192GCM",
        "RSA, RSA-OAEP-512, A128GCM",
        "RSA, RSA-OAEP, A128CBC-HS256",
        "EC, ECDH-ES, A256GCM",
        "EC, ECDH-ES+A128KW, A256CBC-HS512",
        "EC, ECDH-ES+A192KW, A256GCM",
        "EC, ECDH-ES+A256KW, A256GCM",
        "oct, A256KW, A192CBC-HS384",
        "oct, dir, A128CBC-HS256"
    })
    void what_one_encrypts_the_other_opens(String kind, String algorithm, String encryption) {
        for (String form : new String[] {"compact", "json"}) {
            PolicyRun closing = encrypting(kind, algorithm, encryption, form).answering(ORDER);
            PolicyRun opening = decrypting(kind, algorithm, encryption, form);
            for (int i = 0; i < 2; i++) { // keys are good for more than one message
                String closed = text(closing.send(Exchanges.get("/")));

                opening.send(Exchanges.of("POST", "/").body(closed));

                assertThat(closed).doesNotContain("4111");
                assertThat(opening.arrived()).isEqualTo(ORDER);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"RS256", "PS512", "EdDSA", "HS256"})
    void what_one_signs_the_other_verifies(String algorithm) throws Exception {
        String ed = "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"d\":\"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A\","
                + "\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\"}"; // RFC 8037 appendix A
        String secret = "a secret of both, as long as it has to be";
        String ours =
                algorithm.equals("EdDSA") ? ed : algorithm.equals("HS256") ? secret : JoseSmith.RSA.toJSONString();
        String keys = switch (algorithm) {
            case "HS256" -> "\"secret\": " + A;
            case "EdDSA" -> "\"keys\": {\"keys\": [" + ed.replaceFirst("\"d\":\"[^\"]*\",", "") + "]}";
            default -> "\"keys\": " + JoseSmith.set(JoseSmith.RSA);
        };
        String signed = text(JoseSmith.run(
                        "\"response\": [{\"sign\": {\"form\": \"json\", \"key\": %s, \"algorithm\": \"%s\"}}]"
                                .formatted(A, algorithm),
                        ours)
                .answering(ORDER)
                .send(Exchanges.get("/")));
        PolicyRun run = JoseSmith.run(
                "\"request\": [{\"verify\": {\"form\": \"json\", \"algorithms\": [\"%s\"], %s}}]"
                        .formatted(algorithm, keys),
                secret);

        run.send(Exchanges.of("POST", "/").body(signed));

        assertThat(run.arrived()).isEqualTo(ORDER);
    }

    @Test
    void an_answer_is_signed_then_encrypted_and_opened_the_other_way_round() throws Exception {
        PolicyRun closing = JoseSmith.run("""
                "response": [{"sign": {"key": %s, "algorithm": "ES256", "claims": {"issuer": "us", "audience": "you"}}},
                             {"encrypt": {"algorithm": "RSA-OAEP-256", "keys": %s}}]""".formatted(A, JoseSmith.set(JoseSmith.RSA)), JoseSmith.EC.toJSONString());
        String closed = text(closing.answering("{\"id\":7}").send(Exchanges.get("/")));
        PolicyRun opening = JoseSmith.run("""
                "request": [{"decrypt": {"keys": %s, "algorithms": ["RSA-OAEP-256"]}},
                            {"verify": {"keys": %s, "algorithms": ["ES256"],
                                        "claims": {"issuer": "us", "audiences": ["you"]}}}]""".formatted(A, JoseSmith.set(JoseSmith.EC)), JoseSmith.RSA.toJSONString());

        Response answer = opening.send(Exchanges.of("POST", "/").body(closed));

        JWEObject outer = JWEObject.parse(closed);
        outer.decrypt(new RSADecrypter(JoseSmith.RSA));
        assertThat(outer.getHeader().getContentType()).isEqualTo("JWT");
        assertThat(outer.getPayload().toJWSObject().getHeader().getType()).hasToString("JWT");
        JsonNode claims = Json.parse(opening.arrived());
        assertThat(answer.status()).isEqualTo(200);
        assertThat(claims.propertyNames()).containsExactlyInAnyOrder("id", "iss", "aud", "iat", "exp", "jti");
        assertThat(claims.get("exp").longValue() - claims.get("iat").longValue())
                .isEqualTo(300);
    }

    @Test
    void claims_of_others_and_of_other_times_are_refused() {
        PolicyRun run = JoseSmith.run("""
                "request": [{"verify": {"keys": %s, "algorithms": ["ES256"],
                                        "claims": {"issuer": "us", "audiences": ["you"]}}}]""".formatted(JoseSmith.set(JoseSmith.EC)));
        String good = "{\"iss\": \"us\", \"aud\": [\"them\", \"you\"], \"exp\": 4000000000}";

        assertThat(status(run, signed(good))).isEqualTo(200);
        for (String bad : new String[] {
            good.replace("us", "others"),
            good.replace("you", "others"),
            good.replace("4000000000", "1"),
            "{}",
            "[]",
            "7"
        }) {
            assertThat(status(run, signed(bad))).as(bad).isEqualTo(401);
        }
    }

    @Test
    void a_detached_signature_leaves_the_body_as_it_is() {
        String form = "\"form\": \"detached\", \"header\": \"x-sig\"";
        Response answer = JoseSmith.run(SIGN.replace("\"key\"", form + ", \"key\""), JoseSmith.EC.toJSONString())
                .answering(ORDER)
                .send(Exchanges.get("/"));
        String signature = answer.headers().first("x-sig").orElseThrow();
        PolicyRun run = JoseSmith.run("\"request\": [{\"verify\": {%s, \"keys\": %s, \"algorithms\": [\"ES256\"]}}]"
                .formatted(form, JoseSmith.set(JoseSmith.EC)));

        assertThat(text(answer)).isEqualTo(ORDER);
        assertThat(JoseSmith.decoded(signature.split("\\.", -1)[0])).contains("\"b64\":false", "\"crit\":[\"b64\"]");
        assertThat(run.send(Exchanges.of("POST", "/").with("x-sig", signature).body(ORDER))
                        .status())
                .isEqualTo(200);
        assertThat(run.arrived()).isEqualTo(ORDER);
        for (String other : new String[] {ORDER + " ", ORDER.replace("7", "8"), ""}) {
            assertThat(run.send(Exchanges.of("POST", "/")
                                    .with("x-sig", signature)
                                    .body(other))
                            .status())
                    .isEqualTo(401);
        }
        var twice = Exchanges.of("POST", "/").with("x-sig", signature).with("x-sig", signature);
        assertThat(run.send(twice.body(ORDER)).status()).isEqualTo(401);
        assertThat(run.send(Exchanges.of("POST", "/").body(ORDER)).status()).isEqualTo(401);
    }

    @Test
    void a_detached_signature_of_somebody_else_does_not_go_on_as_ours() {
        PolicyRun run = JoseSmith.run(
                "\"stage\": \"upstream\", "
                        + SIGN.replace("response", "request").replace("\"key\"", "\"form\": \"detached\", \"key\""),
                JoseSmith.EC.toJSONString());

        run.send(Exchanges.of("POST", "/").with("X-JWS-Signature", "theirs").body(ORDER));
        assertThat(run.last().headers().all("X-JWS-Signature")).hasSize(1).doesNotContain("theirs");

        run.send(Exchanges.get("/").with("X-JWS-Signature", "theirs"));
        assertThat(run.last().headers().all("X-JWS-Signature")).isEmpty();
    }

    @Test
    void the_canonical_json_is_signed_however_it_is_laid_out() {
        String form = "\"form\": \"detached\", \"canonical\": true";
        Response answer = JoseSmith.run(SIGN.replace("\"key\"", form + ", \"key\""), JoseSmith.EC.toJSONString())
                .answering(ORDER)
                .send(Exchanges.get("/"));
        String signature = answer.headers().first("x-jws-signature").orElseThrow();
        PolicyRun run = JoseSmith.run("\"request\": [{\"verify\": {%s, \"keys\": %s, \"algorithms\": [\"ES256\"]}}]"
                .formatted(form, JoseSmith.set(JoseSmith.EC)));

        String other = "{ \"sum\": 1.5, \"card\": \"4111\",\n \"id\": 7 }";
        var request = Exchanges.of("POST", "/").with("x-jws-signature", signature);
        assertThat(run.send(request.body(other)).status()).isEqualTo(200);
        assertThat(run.arrived()).isEqualTo(other);
        assertThat(run.send(request.body(other.replace("1.5", "1.6"))).status()).isEqualTo(401);
        assertThat(run.send(request.body(other.replace("1.5", "1.50000000000000000001")))
                        .status())
                .isEqualTo(401);
    }

    @Test
    void parts_are_encrypted_and_opened_where_they_stand() {
        String keys = JoseSmith.set(JoseSmith.RSA);
        String closed = text(JoseSmith.run("""
                        "response": [{"encrypt": {"part": "/cards/1", "algorithm": "RSA-OAEP-256", "keys": %s}},
                                     {"encrypt": {"part": "/none", "algorithm": "RSA-OAEP-256", "keys": %s}}]""".formatted(keys, keys))
                .answering("{\"cards\":[1,{\"number\":\"4111\"}],\"n\":1.50}")
                .send(Exchanges.get("/")));
        PolicyRun opening = JoseSmith.run(
                "\"request\": [{\"decrypt\": {\"part\": \"/cards/1\", \"keys\": %s, \"algorithms\": [\"RSA-OAEP-256\"]}}]"
                        .formatted(A),
                JoseSmith.RSA.toJSONString());

        opening.send(Exchanges.of("POST", "/")
                .with("Content-Type", "application/json")
                .body(closed));

        assertThat(closed).doesNotContain("4111").contains("\"cards\":[1,\"ey", "1.50");
        assertThat(opening.arrived()).isEqualTo("{\"cards\":[1,{\"number\":\"4111\"}],\"n\":1.50}");
        assertThat(status(opening, "{\"cards\":[1]}")).isEqualTo(401);
        assertThat(status(opening, "{\"cards\":[1,2]}")).isEqualTo(401);
    }

    /// In Shift_JIS the backslash is the end of a character, and the quote behind it the end of the text.
    @Test
    void parts_of_what_is_read_in_other_characters_are_refused() {
        PolicyRun run = JoseSmith.run(
                "\"request\": [{\"verify\": {\"part\": \"/pay\", \"keys\": %s, \"algorithms\": [\"ES256\"]}}]"
                        .formatted(JoseSmith.set(JoseSmith.EC)));
        String body = "{\"pay\":\"" + signed("1") + "\",\"note\":\"\u3042\\\",\\\"pay\\\":9,\\\"x\\\":\\\"\"}";

        for (String charset : new String[] {"Shift_JIS", "\"utf-16\"", "iso-8859-1"}) {
            var request = Exchanges.of("POST", "/").with("Content-Type", "application/json; charset=" + charset);
            assertThat(PolicyRun.told(run.send(request.body(body)))).isEqualTo("415 unsupported-media-type");
        }
        assertThat(run.send(Exchanges.of("POST", "/")
                                .with("Content-Type", "application/json; charset=utf-8")
                                .body(body))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void parts_of_megabytes_are_closed_in_json() {
        PolicyRun run = JoseSmith.run("""
                "maxBody": "8MiB", "request": [
                 {"sign": {"part": "/a", "form": "json", "key": %s, "algorithm": "ES256"}},
                 {"encrypt": {"part": "/b", "form": "json", "keys": %s, "algorithm": "RSA-OAEP-256"}}]""".formatted(A, JoseSmith.set(JoseSmith.RSA)), JoseSmith.EC.toJSONString());
        String large = "[" + ("\"" + "x".repeat(1_000) + "\",").repeat(3_300) + "0]";

        Response answer = run.send(Exchanges.of("POST", "/")
                .with("Content-Type", "application/json")
                .body("{\"a\":" + large + ",\"b\":" + large + "}"));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(run.arrived()).startsWith("{\"a\":{\"payload\":\"").contains("\"b\":{\"protected\":\"");
    }

    @Test
    void fields_and_parameters_are_verified_where_they_stand() {
        PolicyRun run = JoseSmith.run("""
                "request": [{"verify": {"part": "header:x-user", "keys": %1$s, "algorithms": ["ES256"]}},
                            {"verify": {"part": "query:order", "keys": %1$s, "algorithms": ["ES256"]}}]""".formatted(JoseSmith.set(JoseSmith.EC)));
        String order = signed("a&b");

        Response answer = run.send(Exchanges.get("/?x=1&order=" + order).with("x-user", signed("alice")));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(run.last().headers().all("x-user")).containsExactly("alice");
        assertThat(run.last().outgoing().query()).isEqualTo("x=1&order=a%26b");
        for (String split : new String[] {"a\r\nx: y", "\u00e9"}) {
            assertThat(run.send(Exchanges.get("/?order=" + order).with("x-user", signed(split)))
                            .status())
                    .isEqualTo(401);
        }
        var twice = Exchanges.get("/?order=" + order + "&order=" + order).with("x-user", signed("alice"));
        assertThat(run.send(twice).status()).isEqualTo(401);
    }

    @Test
    void optional_lets_pass_what_is_not_signed_and_nothing_else() {
        PolicyRun run = JoseSmith.run(
                "\"request\": [{\"verify\": {\"optional\": true, \"keys\": %s, \"algorithms\": [\"ES256\"]}}]"
                        .formatted(JoseSmith.set(JoseSmith.EC)));

        assertThat(status(run, ORDER)).isEqualTo(200);
        assertThat(run.arrived()).isEqualTo(ORDER);
        assertThat(run.send(Exchanges.get("/")).status()).isEqualTo(200);
        assertThat(status(run, signed(ORDER) + "A")).isEqualTo(401);
        assertThat(status(run, signed(ORDER))).isEqualTo(200);
    }

    /// An upstream that reads less strictly would take each for signed.
    @Test
    void optional_lets_nothing_pass_that_is_meant_to_be_signed_and_badly_made() {
        String verify = "\"request\": [{\"verify\": {\"optional\": true, \"form\": \"%s\", \"keys\": %s,"
                + " \"algorithms\": [\"ES256\"]}}]";
        PolicyRun compact = JoseSmith.run(verify.formatted("compact", JoseSmith.set(JoseSmith.EC)));
        String rest = signed(ORDER).substring(signed(ORDER).indexOf('.'));
        for (String header : new String[] {"{\"alg\":\"ES256\",\"alg\":\"none\"}", "{}", "[]", "{\"alg\""})
            assertThat(status(compact, JoseSmith.encoded(header) + rest))
                    .as(header)
                    .isEqualTo(401);
        assertThat(status(compact, "e30=.e30=.")).isEqualTo(401);
        assertThat(typed(compact, "application/jose", ORDER)).isEqualTo(401);
        assertThat(typed(compact, "Application/JWT; charset=utf-8", "a.b")).isEqualTo(401);
        assertThat(typed(compact, "application/jose", "a.b.c.d.e")).isEqualTo(200); // encrypted: no word of this step
        assertThat(typed(compact, "text/plain", "Hello. Dear. World")).isEqualTo(200);

        PolicyRun json = JoseSmith.run(verify.formatted("json", JoseSmith.set(JoseSmith.EC)));
        assertThat(status(json, "{\"payload\":\"e30\",\"signatures\":[],\"signatures\":[]}"))
                .isEqualTo(401);
        assertThat(typed(json, "application/jose+json", ORDER)).isEqualTo(401);
        assertThat(status(json, signed(ORDER))).isEqualTo(401);
        assertThat(status(json, ORDER)).isEqualTo(200);
    }

    private static int typed(PolicyRun run, String type, String body) {
        return run.send(Exchanges.of("POST", "/").with("Content-Type", type).body(body))
                .status();
    }

    @Test
    void answers_of_the_upstream_are_opened_or_replaced() {
        PolicyRun run = JoseSmith.run("""
                "stage": "upstream", "response": [{"verify": {"keys": %s, "algorithms": ["ES256"]}}]""".formatted(JoseSmith.set(JoseSmith.EC)));

        run.answering(Response.of(200, "application/jose", signed(ORDER).getBytes(StandardCharsets.UTF_8)));
        assertThat(text(run.send(Exchanges.get("/").with("Range", "bytes=0-5"))))
                .isEqualTo(ORDER);
        assertThat(run.last().headers().contains("Range")).isFalse();
        run.answering(ORDER);
        assertThat(PolicyRun.told(run.send(Exchanges.get("/")))).isEqualTo("502 response-refused");
        run.answering(Response.of(206, "application/jose", signed(ORDER).getBytes(StandardCharsets.UTF_8)));
        Response part = run.send(Exchanges.get("/"));
        assertThat(part.status()).isEqualTo(502);
        assertThat(text(part)).contains("The content is a part of a whole");
        run.answering(Response.of(204));
        assertThat(run.send(Exchanges.get("/")).status()).isEqualTo(204);
    }

    @Test
    void what_was_signed_is_not_signed_again_when_the_upstream_is_asked_once_more() {
        var services = new FakeServices();
        services.secrets().put(Origin.ENV, "GATEWAY_SECRET_A", JoseSmith.EC.toJSONString());
        String step = "{\"sign\": {\"part\": \"header:x-user\", \"key\": %s, \"algorithm\": \"ES256\"}}".formatted(A);
        Policy policy = new Jose.Type()
                .read(ConfigNode.parse("{\"request\": [%s]}".formatted(step)))
                .compile(new PolicyPlace("orders", "jose"), services);
        Exchange exchange = Exchanges.get("/").with("x-user", "alice").make();

        policy.apply(exchange);
        String once = exchange.headers().first("x-user").orElseThrow();
        policy.apply(exchange);

        assertThat(once).startsWith("ey");
        assertThat(exchange.headers().all("x-user")).containsExactly(once);
    }

    @Test
    void what_the_gateway_refuses_itself_is_not_signed() {
        PolicyRun run = JoseSmith.run(
                SIGN
                        + ", \"request\": [{\"verify\": {\"keys\": %s, \"algorithms\": [\"ES256\"]}}]"
                                .formatted(JoseSmith.set(JoseSmith.EC)),
                JoseSmith.EC.toJSONString());

        Response answer = run.send(Exchanges.of("POST", "/").body("x"));

        assertThat(answer.headers().first("Content-Type")).contains("application/problem+json");
        assertThat(answer.headers().first("WWW-Authenticate")).contains("JOSE realm=\"orders\"");
        assertThat(text(answer)).contains("The message is not signed or encrypted as it has to be");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"response\": [{\"sign\": {\"key\": %1$s, \"algorithm\": \"ES256\"}}]",
                "\"stage\": \"upstream\", \"request\": [{\"sign\": {\"key\": %1$s, \"algorithm\": \"ES256\"}}]",
                "\"stage\": \"upstream\", \"response\": [{\"decrypt\": {\"keys\": %1$s, \"algorithms\": [\"ECDH-ES\"]}}]"
            })
    void a_web_socket_is_not_opened_where_what_is_said_has_to_be_signed_or_encrypted(String steps) {
        PolicyRun run = JoseSmith.run(steps.formatted(A), JoseSmith.EC.toJSONString());

        Response answer =
                run.answering(Response.of(101)).send(Exchanges.get("/").openingWebSocket());

        assertThat(told(answer)).isEqualTo("415 unsupported-media-type");
    }

    @Test
    void a_web_socket_is_opened_where_fields_alone_are_signed() {
        PolicyRun run = JoseSmith.run(
                SIGN.replace("\"key\"", "\"part\": \"header:X-User\", \"key\""), JoseSmith.EC.toJSONString());

        Response answer = run.answering(Response.of(101).with("X-User", "alice"))
                .send(Exchanges.get("/").openingWebSocket());

        assertThat(answer.status()).isEqualTo(101);
        assertThat(answer.headers().first("X-User").orElseThrow()).startsWith("eyJ");
    }

    @Test
    void claims_are_added_to_objects_only() {
        PolicyRun run = JoseSmith.run(SIGN.replace("\"key\"", "\"claims\": {}, \"key\""), JoseSmith.EC.toJSONString());

        assertThat(run.answering("[1]").send(Exchanges.get("/")).status()).isEqualTo(502);
        assertThat(run.answering("{}").send(Exchanges.get("/")).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"request\": []}",
                "{\"request\": [{}]}",
                "{\"request\": [{\"verify\": {\"algorithms\": [\"none\"], \"secret\": {\"env\": \"GATEWAY_SECRET_A\"}}}]}",
                "{\"request\": [{\"verify\": {\"algorithms\": [], \"secret\": {\"env\": \"GATEWAY_SECRET_A\"}}}]}",
                "{\"request\": [{\"verify\": {\"algorithms\": [\"ES256\"], \"secret\": {\"env\": \"GATEWAY_SECRET_A\"}}}]}",
                "{\"request\": [{\"verify\": {\"algorithms\": [\"HS256\"], \"secret\": {\"env\": \"GATEWAY_SECRET_A\"}}}]}",
                "{\"request\": [{\"decrypt\": {\"algorithms\": [\"RSA1_5\"], \"keys\": {\"env\": \"GATEWAY_SECRET_A\"}}}]}",
                "{\"request\": [{\"decrypt\": {\"algorithms\": [\"A256KW\"], \"keys\": {\"env\": \"GATEWAY_SECRET_A\"}}}]}",
                "{\"request\": [{\"decrypt\": {\"algorithms\": [\"PBES2-HS256+A128KW\"], \"keys\": {\"env\": \"GATEWAY_SECRET_A\"}}}]}",
                "{\"response\": [{\"encrypt\": {\"algorithm\": \"A256GCMKW\", \"secret\": {\"env\": \"GATEWAY_SECRET_A\"}}}]}",
                "{\"response\": [{\"encrypt\": {\"algorithm\": \"dir\", \"secret\": {\"env\": \"GATEWAY_SECRET_A\"}}}]}",
                "{\"response\": [{\"encrypt\": {\"algorithm\": \"RSA-OAEP-256\", \"keys\": {\"keys\": []}}}]}",
                "{\"response\": [{\"sign\": {\"algorithm\": \"ES256\", \"key\": {\"env\": \"GATEWAY_SECRET_A\"}}}]}",
                "{\"response\": [{\"sign\": {\"algorithm\": \"HS256\", \"part\": \"query:a\", \"key\": {\"env\": \"GATEWAY_SECRET_A\"}}}]}",
                "{\"response\": [{\"sign\": {\"algorithm\": \"HS256\", \"b64\": true, \"key\": {\"env\": \"GATEWAY_SECRET_A\"}}}]}"
            })
    void what_is_weak_or_cannot_work_is_refused_when_it_is_written(String policy) {
        assertThatThrownBy(() -> JoseSmith.run(policy.substring(1, policy.length() - 1), "too short"))
                .isInstanceOf(InvalidConfigException.class);
    }

    @Test
    void a_key_that_is_for_other_operations_is_not_taken() {
        String signing = JoseSmith.EC.toJSONString().replaceFirst("}$", ",\"key_ops\":[\"verify\"]}");
        String closing = JoseSmith.set(JoseSmith.RSA).replace("}]}", ",\"key_ops\":[\"verify\"]}]}");
        String agreeing = JoseSmith.set(JoseSmith.EC).replace("}]}", ",\"key_ops\":[]}]}");
        String encrypt = "\"response\": [{\"encrypt\": {\"algorithm\": \"%s\", \"keys\": %s}}]";

        assertThatThrownBy(() -> JoseSmith.run(SIGN, signing)).hasMessageContaining("expected a private key for ES256");
        assertThatThrownBy(() -> JoseSmith.run(encrypt.formatted("RSA-OAEP-256", closing)))
                .hasMessageContaining("expected a key for RSA-OAEP-256");
        JoseSmith.run(SIGN, signing.replace("verify", "sign"));
        JoseSmith.run(encrypt.formatted("RSA-OAEP-256", closing.replace("verify", "wrapKey")));
        JoseSmith.run(encrypt.formatted("ECDH-ES", agreeing)); // as browsers write it
    }

    @Test
    void fields_of_answers_without_content_are_closed_as_well() {
        PolicyRun run = JoseSmith.run("""
                "response": [{"encrypt": {"part": "header:X-Card", "algorithm": "RSA-OAEP-256", "keys": %s}}]""".formatted(JoseSmith.set(JoseSmith.RSA)));

        for (int status : new int[] {200, 204, 304}) {
            Response answer =
                    run.answering(Response.of(status).with("X-Card", "4111")).send(Exchanges.of("HEAD", "/"));

            assertThat(answer.headers().first("X-Card").orElseThrow()).startsWith("ey");
        }
    }

    @Test
    void fields_of_answers_without_content_are_verified_as_well() {
        PolicyRun run = JoseSmith.run("""
                "response": [{"verify": {"part": "header:X-User", "algorithms": ["ES256"], "keys": %s}}]""".formatted(JoseSmith.set(JoseSmith.EC)));
        Exchanges head = Exchanges.of("HEAD", "/");

        assertThat(run.answering(Response.of(200).with("X-User", "admin"))
                        .send(head)
                        .status())
                .isEqualTo(502);
        assertThat(run.answering(Response.of(304).with("X-User", "admin"))
                        .send(head)
                        .status())
                .isEqualTo(502);
        assertThat(run.answering(Response.of(204)).send(head).status()).isEqualTo(502);
        assertThat(run.answering(Response.of(304)).send(head).status()).isEqualTo(304); // it may be left out there
        assertThat(run.answering(Response.of(200).with("X-User", signed("alice")))
                        .send(head)
                        .headers()
                        .first("X-User"))
                .contains("alice");
    }

    @Test
    void the_answer_to_head_tells_nothing_of_content_that_would_be_another() {
        Response plain = Response.of(200).with("Content-Length", "7").with("ETag", "\"a\"");
        String detached = SIGN.replace("\"key\"", "\"form\": \"detached\", \"key\"");

        Response signed = JoseSmith.run(SIGN, JoseSmith.EC.toJSONString())
                .answering(plain)
                .send(Exchanges.of("HEAD", "/"));

        assertThat(signed.headers().contains("Content-Length")).isFalse();
        assertThat(signed.headers().contains("ETag")).isFalse();

        Response beside = JoseSmith.run(detached, JoseSmith.EC.toJSONString())
                .answering(Response.of(200).with("Content-Length", "7"))
                .send(Exchanges.of("HEAD", "/"));

        assertThat(beside.headers().first("Content-Length")).contains("7");
    }

    @Test
    void more_than_two_layers_are_refused_when_written() {
        String step = "{\"decrypt\": {\"keys\": " + A + ", \"algorithms\": [\"dir\"]}}";

        assertThatThrownBy(() -> JoseSmith.run("\"request\": [%1$s, %1$s, %1$s]".formatted(step), "x"))
                .hasMessageContaining("at most 2 steps");
    }

    @Test
    void a_caller_signs_by_the_public_key_of_its_api_key() throws Exception {
        String pem = "-----BEGIN PUBLIC KEY-----\n%s\n-----END PUBLIC KEY-----"
                .formatted(Base64.getEncoder()
                        .encodeToString(JoseSmith.EC.toECPublicKey().getEncoded()));
        PolicyRun run = JoseSmith.run("\"request\": [{\"verify\": {\"by\": \"caller\", \"algorithms\": [\"ES256\"]}}]");
        var credential = new KeyCredential("ecdsa-p256-sha256", Optional.of(pem), Optional.empty());
        String[] parts = signed(ORDER).split("\\.", -1);
        String other = parts[0] + '.' + JoseSmith.encoded("{}") + '.' + parts[2];

        assertThat(run.send(Exchanges.of("POST", "/").calledBy(key(credential)).body(signed(ORDER)))
                        .status())
                .isEqualTo(200);
        assertThat(run.arrived()).isEqualTo(ORDER);
        assertThat(run.send(Exchanges.of("POST", "/").calledBy(key(credential)).body(other))
                        .status())
                .isEqualTo(401);
        assertThat(run.send(Exchanges.of("POST", "/").calledBy(key()).body(signed(ORDER)))
                        .status())
                .isEqualTo(401);
        assertThat(run.send(Exchanges.of("POST", "/").body(signed(ORDER))).status())
                .isEqualTo(401);
    }

    private static ApiKey key(KeyCredential... credentials) {
        return new ApiKey(
                "key_1",
                "alice",
                true,
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Map.of(),
                List.of(credentials));
    }

    static String signed(String payload) {
        return text(JoseSmith.run(SIGN, JoseSmith.EC.toJSONString())
                .answering(Response.of(200, "application/json", payload.getBytes(StandardCharsets.UTF_8)))
                .send(Exchanges.get("/")));
    }

    private static int status(PolicyRun run, String body) {
        return run.send(Exchanges.of("POST", "/").body(body)).status();
    }

    private static PolicyRun verifying(String form) {
        return JoseSmith.run(
                "\"request\": [{\"verify\": {\"form\": \"%s\", \"keys\": %s, \"algorithms\": [\"ES256\"]}}]"
                        .formatted(form, JoseSmith.set(JoseSmith.EC)));
    }

    private static String secret(String kind) {
        return switch (kind) {
            case "RSA" -> JoseSmith.RSA.toJSONString();
            case "EC" -> JoseSmith.EC.toJSONString();
            default -> JoseSmith.OCTETS.toJSONString();
        };
    }

    private static PolicyRun encrypting(String kind, String algorithm, String encryption, String form) {
        String keys = switch (kind) {
            case "RSA" -> "\"keys\": " + JoseSmith.set(JoseSmith.RSA);
            case "EC" -> "\"keys\": " + JoseSmith.set(JoseSmith.EC);
            default -> "\"secret\": " + A;
        };
        return JoseSmith.run(
                "\"response\": [{\"encrypt\": {\"form\": \"%s\", \"algorithm\": \"%s\", \"encryption\": \"%s\", %s}}]"
                        .formatted(form, algorithm, encryption, keys),
                secret(kind));
    }

    private static PolicyRun decrypting(String kind, String algorithm, String encryption, String form) {
        return JoseSmith.run("""
                "request": [{"decrypt": {"form": "%s", "keys": %s, "algorithms": ["%s"], "encryption": ["%s"]}}]""".formatted(form, A, algorithm, encryption), secret(kind));
    }
}
