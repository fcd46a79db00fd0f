package gateway.policies.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.policies.cryptography.MessageAlgorithm;
import gateway.policies.cryptography.MessageKey;
import gateway.policies.cryptography.PemReader;
import gateway.policies.cryptography.SignatureProfile;
import gateway.policies.identity.SignatureRules.RequestTargetForm;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The examples of RFC 9421 appendix B, with their keys and signatures as they stand there.
final class SignatureVectorsTest {
    private static final long CREATED = 1_618_884_473;
    private static final String BODY_DIGEST =
            "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:";

    private static final MessageKey RSA_PSS = key(MessageAlgorithm.RSA_PSS_SHA512, """
            MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAr4tmm3r20Wd/PbqvP1s2
            +QEtvpuRaV8Yq40gjUR8y2Rjxa6dpG2GXHbPfvMs8ct+Lh1GH45x28Rw3Ry53mm+
            oAXjyQ86OnDkZ5N8lYbggD4O3w6M6pAvLkhk95AndTrifbIFPNU8PPMO7OyrFAHq
            gDsznjPFmTOtCEcN2Z1FpWgchwuYLPL+Wokqltd11nqqzi+bJ9cvSKADYdUAAN5W
            Utzdpiy6LbTgSxP7ociU4Tn0g5I6aDZJ7A8Lzo0KSyZYoA485mqcO0GVAdVw9lq4
            aOT9v6d+nb4bnNkQVklLQ3fVAvJm+xdDOp9LCNCN48V2pnDOkFV6+U9nV5oyc6XI
            2wIDAQAB
            """);
    private static final MessageKey ECDSA = key(MessageAlgorithm.ECDSA_P256_SHA256, """
            MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEqIVYZVLCrPZHGHjP17CTW0/+D9Lf
            w0EkjqF7xB4FivAxzic30tMM4GF+hR6Dxh71Z50VGGdldkkDXZCnTNnoXQ==
            """);
    private static final MessageKey ED25519 =
            key(MessageAlgorithm.ED25519, "MCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=\n");
    private static final MessageKey SHARED = MessageKey.of(
            MessageAlgorithm.HMAC_SHA256,
            Base64.getDecoder()
                    .decode(
                            "uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ=="));

    private static MessageKey key(MessageAlgorithm algorithm, String content) {
        String pem = "-----BEGIN PUBLIC KEY-----\n" + content + "-----END PUBLIC KEY-----\n";
        return MessageKey.of(algorithm, PemReader.key(pem).orElseThrow());
    }

    @Test
    void b21_a_minimal_signature_by_rsa_pss_sha512() {
        assertHolds(
                RSA_PSS,
                "sig-b21=();created=1618884473;keyid=\"test-key-rsa-pss\";nonce=\"b3k2pp5k7z-50gnwp.yemd\"",
                "sig-b21",
                "d2pmTvmbncD3xQm8E9ZV2828BjQWGgiwAaw5bAkgibUopemLJcWDy/lkbbHAve4cRAtx31Iq786U7it++wgGxbtRxf8Udx7z"
                        + "FZsckzXaJMkA7ChG52eSkFxykJeNqsrWH5S+oxNFlD4dzVuwe8DhTSja8xxbR/Z2cOGdCbzR72rgFWhzx2VjBqJzsPLM"
                        + "IQKhO4DGezXehhWwE56YCE+O6c0mKZsfxVrogUvA4HELjVKWmAvtl6UnCh8jYzuVG5WSb/QEVPnP5TmcAnLH1g+s++v6"
                        + "d4s8m0gCw1fV5/SITLq9mhho8K3+7EPYTU8IU1bLhdxO5Nyt8C8ssinQ98Xw9Q==");
    }

    @Test
    void b22_selected_components_by_rsa_pss_sha512() {
        assertHolds(
                RSA_PSS,
                "sig-b22=(\"@authority\" \"content-digest\" \"@query-param\";name=\"Pet\");created=1618884473"
                        + ";keyid=\"test-key-rsa-pss\";tag=\"header-example\"",
                "sig-b22",
                "LjbtqUbfmvjj5C5kr1Ugj4PmLYvx9wVjZvD9GsTT4F7GrcQEdJzgI9qHxICagShLRiLMlAJjtq6N4CDfKtjvuJyE5qH7KT8U"
                        + "CMkSowOB4+ECxCmT8rtAmj/0PIXxi0A0nxKyB09RNrCQibbUjsLS/2YyFYXEu4TRJQzRw1rLEuEfY17SARYhpTlaqwZV"
                        + "tR8NV7+4UKkjqpcAoFqWFQh62s7Cl+H2fjBSpqfZUJcsIk4N6wiKYd4je2U/lankenQ99PZfB4jY3I5rSV2DSBVkSFsU"
                        + "RIjYErOs0tFTQosMTAoxk//0RoKUqiYY8Bh0aaUEb0rQl3/XaVe4bXTugEjHSw==");
    }

    @Test
    void b23_all_components_by_rsa_pss_sha512() {
        assertHolds(
                RSA_PSS,
                "sig-b23=(\"date\" \"@method\" \"@path\" \"@query\" \"@authority\" \"content-type\" \"content-digest\""
                        + " \"content-length\");created=1618884473;keyid=\"test-key-rsa-pss\"",
                "sig-b23",
                "bbN8oArOxYoyylQQUU6QYwrTuaxLwjAC9fbY2F6SVWvh0yBiMIRGOnMYwZ/5MR6fb0Kh1rIRASVxFkeGt683+qRpRRU5p2vo"
                        + "Tp768ZrCUb38K0fUxN0O0iC59DzYx8DFll5GmydPxSmme9v6ULbMFkl+V5B1TP/yPViV7KsLNmvKiLJH1pFkh/aYA2HX"
                        + "XZzNBXmIkoQoLd7YfW91kE9o/CCoC1xMy7JA1ipwvKvfrs65ldmlu9bpG6A9BmzhuzF8Eim5f8ui9eH8LZH896+QIF61"
                        + "ka39VBrohr9iyMUJpvRX2Zbhl5ZJzSRxpJyoEZAFL2FUo5fTIztsDZKEgM4cUA==");
    }

    @Test
    void b24_a_response_by_ecdsa_p256_sha256_whose_components_no_request_has() {
        String base = """
                "@status": 200
                "content-type": application/json
                "content-digest": sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ41QJgJc4GTsPp29l5oGX69wWdXymyU0rjJuahq4l5aGgfLQ==:
                "content-length": 23
                "@signature-params": ("@status" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-ecc-p256\"""";
        String signature = "wNmSUAhwb5LxtOtOpNa6W5xj067m5hFrj0XQ4fvpaCLx0NKocgPquLgyahnzDnDAUy5eCdlYUEkLIj+32oiasw==";
        assertThat(ECDSA.hasSigned(octets(base), Base64.getDecoder().decode(signature)))
                .isTrue();
        assertThat(ECDSA.hasSigned(octets(base + ' '), Base64.getDecoder().decode(signature)))
                .isFalse();
        Exchanges request = Exchanges.get("/")
                .with("Signature-Input", "sig-b24=(\"@status\");created=1618884473;keyid=\"test-key-ecc-p256\"")
                .with("Signature", "sig-b24=:" + signature + ':');

        assertThatThrownBy(() -> read(request.make(), "sig-b24")).hasMessage("component");
    }

    @Test
    void b25_a_request_by_hmac_sha256() {
        assertHolds(
                SHARED,
                "sig-b25=(\"date\" \"@authority\" \"content-type\");created=1618884473;keyid=\"test-shared-secret\"",
                "sig-b25",
                "pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=");
    }

    @Test
    void b26_a_request_by_ed25519() {
        assertHolds(
                ED25519,
                "sig-b26=(\"date\" \"@method\" \"@path\" \"@authority\" \"content-type\" \"content-length\")"
                        + ";created=1618884473;keyid=\"test-key-ed25519\"",
                "sig-b26",
                "wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==");
    }

    private static void assertHolds(MessageKey key, String input, String label, String signature) {
        SignatureClaim claim = read(request(input, label, signature).make(), label);

        assertThat(key.hasSigned(octets(claim.base()), Base64.getDecoder().decode(claim.signature())))
                .as(claim.base())
                .isTrue();
        for (MessageKey other : List.of(RSA_PSS, ECDSA, ED25519, SHARED)) {
            if (other.equals(key)) continue;
            assertThat(other.hasSigned(octets(claim.base()), Base64.getDecoder().decode(claim.signature())))
                    .isFalse();
        }
        assertThat(key.hasSigned(
                        octets(claim.base() + "\n"), Base64.getDecoder().decode(claim.signature())))
                .isFalse();
    }

    private static SignatureClaim read(Exchange exchange, String label) {
        var rules = new SignatureRules(
                SignatureProfile.RFC9421,
                List.of(),
                Optional.of(label),
                Optional.empty(),
                Duration.ofMinutes(1),
                Duration.ZERO,
                false,
                Optional.empty(),
                RequestTargetForm.PATH_AND_QUERY);
        return SignatureForm.of(rules).read(exchange, CREATED * 1_000);
    }

    private static Exchanges request(String input, String label, String signature) {
        return Exchanges.of("POST", "/foo?param=Value&Pet=dog")
                .scheme("https")
                .host("example.com")
                .with("Host", "example.com")
                .with("Date", "Tue, 20 Apr 2021 02:07:55 GMT")
                .with("Content-Type", "application/json")
                .with("Content-Digest", BODY_DIGEST)
                .with("Content-Length", "18")
                .with("Signature-Input", input)
                .with("Signature", label + "=:" + signature + ':')
                .body("{\"hello\": \"world\"}");
    }

    private static byte[] octets(String base) {
        return base.getBytes(StandardCharsets.ISO_8859_1);
    }
}
