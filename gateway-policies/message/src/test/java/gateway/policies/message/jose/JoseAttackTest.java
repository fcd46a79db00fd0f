package gateway.policies.message.jose;

import static gateway.policies.message.PolicyRun.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.CompressionAlgorithm;
import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWEEncrypter;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDHEncrypter;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.PasswordBasedEncrypter;
import com.nimbusds.jose.crypto.RSAEncrypter;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.json.Json;
import gateway.policies.message.PolicyRun;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// Messages by those who have no key: each is refused, with the same words.
final class JoseAttackTest {
    private static final String ORDER = "{\"id\":7}";
    private static final PolicyRun VERIFYING =
            JoseSmith.run("\"request\": [{\"verify\": {\"keys\": %s, \"algorithms\": [\"ES256\"]}}]"
                    .formatted(JoseSmith.set(JoseSmith.EC, JoseSmith.RSA)));
    private static final PolicyRun OPENING = JoseSmith.run(
            """
            "request": [{"decrypt": {"keys": {"env": "GATEWAY_SECRET_A"},
                                     "algorithms": ["RSA-OAEP-256", "ECDH-ES"], "encryption": ["A256GCM"]}}]""", "{\"keys\": [%s, %s]}".formatted(JoseSmith.RSA.toJSONString(), JoseSmith.EC.toJSONString()));

    @Test
    void an_algorithm_that_the_message_chooses() throws Exception {
        String none = JoseSmith.encoded("{\"alg\":\"none\"}") + '.' + JoseSmith.encoded(ORDER) + '.';
        byte[] published = JoseSmith.EC.toECPublicKey().getEncoded();
        var confused = new JWSObject(new JWSHeader(JWSAlgorithm.HS256), new Payload(ORDER));
        confused.sign(new MACSigner(published));
        var other = new JWSObject(
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("rsa").build(), new Payload(ORDER));
        other.sign(new RSASSASigner(JoseSmith.RSA));

        assertRefused(VERIFYING, none, none + "AA", confused.serialize(), other.serialize());
        assertRefused(VERIFYING, none.replace("none", "None"));
    }

    @Test
    void a_key_that_the_message_brings() throws Exception {
        var brought = new JWSHeader.Builder(JWSAlgorithm.ES256)
                .jwk(JoseSmith.PARTNER.toPublicJWK())
                .jwkURL(URI.create("https://evil.example/keys"))
                .keyID("ours")
                .build();
        var unknown = new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("partner").build();
        for (JWSHeader header : List.of(brought, unknown)) {
            var signed = new JWSObject(header, new Payload(ORDER));
            signed.sign(new ECDSASigner(JoseSmith.PARTNER));

            assertRefused(VERIFYING, signed.serialize());
        }
    }

    @Test
    void what_was_changed_or_is_written_otherwise() throws Exception {
        String good = signed("{\"alg\":\"ES256\",\"kid\":\"ours\"}");
        String[] parts = good.split("\\.", -1);

        assertThat(send(VERIFYING, good).status()).isEqualTo(200);
        assertRefused(
                VERIFYING,
                parts[0] + '.' + JoseSmith.encoded("{\"id\":8}") + '.' + parts[2],
                parts[0] + '.' + parts[1] + '.' + parts[2].substring(0, 84),
                parts[0] + '.' + parts[1] + '.' + JoseSmith.encoded(new byte[64]), // CVE-2022-21449
                good + '=',
                good + "\n." + parts[2],
                good.replace(parts[1], parts[1] + '\n'),
                parts[0] + '.' + otherEnd(parts[1]) + '.' + parts[2],
                "",
                "..",
                ORDER);
    }

    @Test
    void a_header_that_two_readers_understand_otherwise() throws Exception {
        assertRefused(
                VERIFYING,
                signed("{\"alg\":\"ES256\",\"alg\":\"ES256\"}"),
                signed("{\"alg\":\"ES256\",\"crit\":[\"exp\"],\"exp\":1}"),
                signed("{\"alg\":\"ES256\",\"crit\":[]}"),
                signed("{\"alg\":\"ES256\",\"b64\":true}"),
                signed("{\"alg\":\"ES256\",\"crit\":[\"b64\"],\"b64\":false}"),
                signed("{\"alg\":\"ES256\",\"crit\":[\"b64\",\"b64\"],\"b64\":true}"),
                signed("{\"alg\":\"ES256\"} x"),
                signed("[\"ES256\"]"),
                signed("{\"alg\":[\"ES256\"]}"),
                signed("{\"alg\":\"ES256\",\"kid\":7}"),
                signed("{\"alg\":\"ES256\",\"x\":\"" + "x".repeat(9_000) + "\"}"));
    }

    @Test
    void several_signatures_or_recipients() throws Exception {
        PolicyRun run = JoseSmith.run(
                "\"request\": [{\"verify\": {\"form\": \"json\", \"keys\": %s,".formatted(JoseSmith.set(JoseSmith.EC))
                        + " \"algorithms\": [\"ES256\"]}}]");
        String[] good = signed("{\"alg\":\"ES256\"}").split("\\.", -1);
        String one = "{\"protected\":\"%s\",\"signature\":\"%s\"}".formatted(good[0], good[2]);
        String whole = "{\"payload\":\"" + good[1] + "\",\"signatures\":[%s]}";
        String flat = "{\"payload\":\"%s\",\"protected\":\"%s\",\"signature\":\"%s\"%%s}"
                .formatted(good[1], good[0], good[2]);

        assertThat(send(run, whole.formatted(one)).status()).isEqualTo(200);
        assertThat(send(run, flat.formatted(",\"header\":{\"kid\":\"ours\"}")).status())
                .isEqualTo(200);
        assertRefused(
                run,
                whole.formatted(one + ',' + one),
                whole.formatted(""),
                whole.formatted(one).replace("}]}", "}],\"signature\":\"x\",\"protected\":\"y\"}"),
                flat.formatted(",\"header\":{\"alg\":\"ES256\"}"),
                flat.formatted(",\"header\":{\"crit\":[\"x\"]}"),
                flat.formatted(",\"header\":7"),
                flat.formatted(",\"payload\":\"e30\""),
                flat.formatted(",\"more\":1"),
                String.join(".", good));
    }

    @Test
    void an_encryption_that_is_off() throws Exception {
        JWEEncrypter rsa = new RSAEncrypter(JoseSmith.RSA);

        assertThat(send(OPENING, encrypted(new JWEHeader(JWEAlgorithm.RSA_OAEP_256, EncryptionMethod.A256GCM), rsa))
                        .status())
                .isEqualTo(200);
        assertRefused(
                OPENING,
                encrypted(new JWEHeader(JWEAlgorithm.parse("RSA1_5"), EncryptionMethod.A256GCM), rsa),
                encrypted(new JWEHeader(JWEAlgorithm.parse("RSA-OAEP"), EncryptionMethod.A256GCM), rsa),
                encrypted(new JWEHeader(JWEAlgorithm.RSA_OAEP_256, EncryptionMethod.A128GCM), rsa),
                encrypted(new JWEHeader(JWEAlgorithm.RSA_OAEP_256, EncryptionMethod.A256CBC_HS512), rsa),
                encrypted(
                        new JWEHeader(JWEAlgorithm.PBES2_HS256_A128KW, EncryptionMethod.A256GCM),
                        new PasswordBasedEncrypter("guess", 16, 1_000)),
                encrypted(
                        new JWEHeader.Builder(JWEAlgorithm.RSA_OAEP_256, EncryptionMethod.A256GCM)
                                .compressionAlgorithm(CompressionAlgorithm.DEF)
                                .build(),
                        rsa),
                encrypted(
                        new JWEHeader.Builder(JWEAlgorithm.RSA_OAEP_256, EncryptionMethod.A256GCM)
                                .criticalParams(Set.of("exp"))
                                .customParam("exp", 1)
                                .build(),
                        rsa));
    }

    @Test
    void each_bit_of_what_is_encrypted_counts_and_the_tag_is_whole() throws Exception {
        String[] parts = encrypted(
                        new JWEHeader(JWEAlgorithm.RSA_OAEP_256, EncryptionMethod.A256GCM),
                        new RSAEncrypter(JoseSmith.RSA))
                .split("\\.", -1);
        var bad = new ArrayList<String>();
        for (int i = 1; i < 5; i++) {
            byte[] part = Base64.getUrlDecoder().decode(parts[i]);
            for (int at : new int[] {0, part.length - 1}) {
                byte[] other = part.clone();
                other[at] ^= 1;
                bad.add(with(parts, i, other));
            }
        }
        byte[] tag = Base64.getUrlDecoder().decode(parts[4]);
        bad.add(with(parts, 4, Arrays.copyOf(tag, 4)));
        bad.add(with(parts, 4, new byte[0]));
        bad.add(moved(parts, tag));
        bad.add(with(parts, 2, new byte[16]));
        bad.add(with(parts, 1, new byte[0]));
        bad.add(with(
                parts, 0, "{\"alg\":\"RSA-OAEP-256\",\"enc\":\"A256GCM\",\"x\":1}".getBytes(StandardCharsets.UTF_8)));

        assertRefused(OPENING, bad.toArray(String[]::new));
    }

    /// The tag begins in what is said to be the content: put together they are the same octets.
    private static String moved(String[] parts, byte[] tag) {
        byte[] content = Base64.getUrlDecoder().decode(parts[3]);
        byte[] longer = Arrays.copyOf(content, content.length + 8);
        System.arraycopy(tag, 0, longer, content.length, 8);
        String[] moved = parts.clone();
        moved[3] = JoseSmith.encoded(longer);
        moved[4] = JoseSmith.encoded(Arrays.copyOfRange(tag, 8, 16));
        return String.join(".", moved);
    }

    @Test
    void a_key_in_a_message_whose_key_was_agreed_upon() throws Exception {
        String[] parts = encrypted(
                        new JWEHeader(JWEAlgorithm.ECDH_ES, EncryptionMethod.A256GCM), new ECDHEncrypter(JoseSmith.EC))
                .split("\\.", -1);

        assertThat(send(OPENING, String.join(".", parts)).status()).isEqualTo(200);
        parts[1] = "AAAA";
        assertRefused(OPENING, String.join(".", parts));
    }

    @Test
    void a_point_off_the_curve() throws Exception {
        String[] parts = encrypted(
                        new JWEHeader(JWEAlgorithm.ECDH_ES, EncryptionMethod.A256GCM), new ECDHEncrypter(JoseSmith.EC))
                .split("\\.", -1);
        assertThat(send(OPENING, String.join(".", parts)).status()).isEqualTo(200);
        for (String point : List.of(
                "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"%s\",\"y\":\"%s\"}"
                        .formatted(JoseSmith.encoded(new byte[32]), JoseSmith.encoded(new byte[32])),
                "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"AQ\",\"y\":\"AQ\"}",
                "{\"kty\":\"EC\",\"crv\":\"P-384\",\"x\":\"AQ\",\"y\":\"AQ\"}",
                "{\"kty\":\"EC\",\"crv\":\"secp256k1\",\"x\":\"AQ\",\"y\":\"AQ\"}",
                "{\"kty\":\"OKP\",\"crv\":\"X25519\",\"x\":\"AQ\"}",
                "7",
                "{}")) {
            ObjectNode header = (ObjectNode) Json.parse(JoseSmith.decoded(parts[0]));
            header.set("epk", Json.parse(point));

            assertRefused(OPENING, with(parts, 0, Json.compact(header).getBytes(StandardCharsets.UTF_8)));
        }
    }

    @Test
    void all_that_is_refused_is_told_alike() throws Exception {
        String unknown = encrypted(
                new JWEHeader(JWEAlgorithm.RSA_OAEP_256, EncryptionMethod.A256GCM),
                new RSAEncrypter(new RSAKeyGenerator(2048).generate()));

        Response answer = send(OPENING, unknown);

        assertThat(text(answer)).isEqualTo(text(send(OPENING, "x"))).isEqualTo(text(send(VERIFYING, "x")));
        assertThat(answer.headers().first("WWW-Authenticate"))
                .isEqualTo(send(VERIFYING, "x").headers().first("WWW-Authenticate"));
    }

    private static String with(String[] parts, int index, byte[] content) {
        String[] other = parts.clone();
        other[index] = JoseSmith.encoded(content);
        return String.join(".", other);
    }

    /// The same octets in another text: the last character has bits that count for nothing.
    private static String otherEnd(String part) {
        char last = part.charAt(part.length() - 1);
        return part.substring(0, part.length() - 1) + (char) (last + 1);
    }

    private static String signed(String header) throws JOSEException {
        String input = JoseSmith.encoded(header) + '.' + JoseSmith.encoded(ORDER);
        return input
                + '.'
                + new ECDSASigner(JoseSmith.EC)
                        .sign(new JWSHeader(JWSAlgorithm.ES256), input.getBytes(StandardCharsets.US_ASCII));
    }

    private static String encrypted(JWEHeader header, JWEEncrypter by) throws JOSEException {
        var message = new JWEObject(header, new Payload(ORDER));
        message.encrypt(by);
        return message.serialize();
    }

    private static Response send(PolicyRun run, String body) {
        return run.send(Exchanges.of("POST", "/").body(body));
    }

    private static void assertRefused(PolicyRun run, String... messages) {
        for (String each : messages) {
            assertThat(PolicyRun.told(send(run, each))).as(each).isEqualTo("401 unauthenticated");
            assertThat(run.arrived()).isEmpty();
        }
    }
}
