package gateway.policies.identity;

import static gateway.policies.identity.SamlCase.form;
import static gateway.policies.identity.SamlCase.header;
import static gateway.policies.identity.SamlCase.said;
import static gateway.policies.identity.SamlCase.soap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Exchange;
import gateway.json.InvalidConfigException;
import gateway.policy.Policy;
import gateway.service.SecretReference.Origin;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/// Assertions that are encrypted for the gateway.
final class SamlDecryptionTest {
    private static final SamlSmith IDP = SamlSmith.rsa(2048);
    private static final SamlSmith OURS = SamlSmith.rsa(2048);
    private static final SamlSmith EVIL = SamlSmith.rsa(2048);
    private static final SamlSeal USUAL = SamlSeal.gcm(256);
    private static final String INVALID = "401 The assertion is invalid";
    private static final String DECRYPT = "'once': false, 'decrypt': {'secret': 'saml'}";

    private final SamlCase idp = new SamlCase(IDP);

    SamlDecryptionTest() {
        idp.services.secrets().put(Origin.SECRET, "saml", OURS.privatePem());
    }

    private static String closed(SamlSeal seal, String plain) {
        return seal.closed(plain, OURS.publicKey(), true);
    }

    private Policy policy(String from) {
        return idp.policy(from, DECRYPT);
    }

    @Test
    void opens_assertions_by_gcm_and_rsa_oaep_wherever_they_may_stand() {
        for (int bits : List.of(128, 192, 256)) {
            for (SamlSeal seal : List.of(SamlSeal.gcm(bits), SamlSeal.gcm(bits).bySha256())) {
                for (boolean inKeyInfo : List.of(true, false)) {
                    String closed = seal.closed(idp.signed(), OURS.publicKey(), inKeyInfo);
                    String response = SamlSmith.response(closed, idp.now());

                    assertThat(said(policy("header"), header(closed))).isEqualTo("passes");
                    assertThat(said(policy("header"), header(response))).isEqualTo("passes");
                    assertThat(said(policy("form"), form(response))).isEqualTo("passes");
                    assertThat(said(policy("form"), form(IDP.sign(response, "response"))))
                            .isEqualTo("passes");
                    assertThat(said(policy("soap-header"), soap(SamlSmith.envelope(closed))))
                            .isEqualTo("passes");
                }
            }
        }
    }

    @Test
    void names_the_caller_and_takes_those_in_the_clear_too() {
        Exchange exchange = header(closed(USUAL, idp.signed()));

        assertThat(said(policy("header"), exchange)).isEqualTo("passes");
        assertThat(exchange.consumer().orElseThrow().id()).isEqualTo("saml:alice");
        assertThat(said(policy("header"), header(idp.signed()))).isEqualTo("passes");
    }

    @Test
    void without_a_key_encrypted_ones_are_refused() {
        assertThat(said(idp.policy("header", ""), header(closed(USUAL, idp.signed()))))
                .isEqualTo(INVALID);
    }

    @Test
    void cbc_is_opened_only_within_a_response_that_is_signed_as_it_is() {
        for (int bits : List.of(128, 192, 256)) {
            String closed = closed(SamlSeal.cbc(bits), idp.signed());
            String response = SamlSmith.response(closed, idp.now());
            String signed = IDP.sign(response, "response");

            assertThat(said(policy("form"), form(signed))).isEqualTo("passes");
            assertThat(said(policy("form"), form(response))).isEqualTo(INVALID);
            assertThat(said(policy("form"), form(EVIL.sign(response, "response"))))
                    .isEqualTo(INVALID);
            assertThat(said(policy("header"), header(closed))).isEqualTo(INVALID);
            assertThat(said(policy("soap-header"), soap(SamlSmith.envelope(closed))))
                    .isEqualTo(INVALID);
        }
    }

    @Test
    void the_signature_inside_is_required_whatever_is_signed_around_it() {
        for (String inside : List.of(
                idp.assertion(),
                EVIL.sign(idp.assertion(), "assertion"),
                idp.signed().replace("alice", "admin"))) {
            String response = SamlSmith.response(closed(USUAL, inside), idp.now());

            assertThat(said(policy("form"), form(response))).isEqualTo(INVALID);
            assertThat(said(policy("form"), form(IDP.sign(response, "response"))))
                    .isEqualTo(INVALID);
        }
    }

    @Test
    void a_bad_signature_around_it_is_not_mended_by_a_good_one_inside() {
        String response = SamlSmith.response(closed(USUAL, idp.signed()), idp.now());
        String signed = IDP.sign(response, "response");

        assertThat(said(policy("form"), form(EVIL.sign(response, "response")))).isEqualTo(INVALID);
        assertThat(said(
                        policy("form"),
                        form(signed.replace("IssueInstant=\"" + idp.now(), "IssueInstant=\"2001-01-01T00:00:00Z"))))
                .isEqualTo(INVALID);
        assertThat(said(policy("form"), form(signed.replace("status:Success", "status:Requester"))))
                .isEqualTo(INVALID);
    }

    @Test
    void other_ciphers_and_key_transports_are_refused() {
        String xenc = "http://www.w3.org/2001/04/xmlenc#";
        String good = closed(USUAL, idp.signed());
        String old = closed(SamlSeal.gcm(256), idp.signed());
        for (String each : List.of(
                closed(USUAL.byRsa15(), idp.signed()),
                closed(SamlSeal.cbc(256).called(xenc + "tripledes-cbc"), idp.signed()),
                closed(SamlSeal.gcm(128).called("http://www.w3.org/2009/xmlenc11#aes256-gcm"), idp.signed()),
                closed(SamlSeal.cbc(128).called(xenc + "aes256-cbc"), idp.signed()),
                closed(SamlSeal.cbc(256), idp.signed())
                        .replace(xenc + "aes256-cbc", "http://www.w3.org/2009/xmlenc11#aes256-gcm"),
                old.replace("http://www.w3.org/2009/xmlenc11#aes256-gcm", xenc + "aes256-cbc"),
                USUAL.closed(idp.signed(), EVIL.publicKey(), true),
                old.replace("rsa-oaep-mgf1p", "rsa-1_5"),
                old.replace(
                        "rsa-oaep-mgf1p\"/>",
                        "rsa-oaep-mgf1p\"><e:OAEPparams>AA==</e:OAEPparams></e:EncryptionMethod>"),
                good.replace("xmlenc11#aes256-gcm", "xmlenc11#aes128-gcm"))) {
            assertThat(each).isNotEqualTo(good);
            assertThat(said(policy("form"), form(IDP.sign(SamlSmith.response(each, idp.now()), "response"))))
                    .as(each)
                    .isEqualTo(INVALID);
        }
    }

    @Test
    void what_is_encrypted_has_one_form() {
        String good = closed(USUAL, idp.signed());
        String data = SamlAttacks.between(good, "<e:EncryptedData ", "</e:EncryptedData>");
        String key = SamlAttacks.between(good, "<e:EncryptedKey ", "</e:EncryptedKey>");
        String value = SamlAttacks.between(good, "<e:CipherValue>", "</e:CipherValue>");
        for (String each : List.of(
                good.replace(data, data + data),
                good.replace(data, ""),
                good.replace(data, data + key),
                good.replace(data, data + "<x/>"),
                good.replace(key, ""),
                good.replace(key, key + key),
                good.replace(value, ""),
                good.replace(value, value + value),
                good.replace(value, "<e:CipherValue>!</e:CipherValue>"),
                good.replace(value, "<e:CipherReference URI=\"http://127.0.0.1/\"/>"),
                good.replace("xmlenc#Element\"", "xmlenc#Content\""),
                good.replace("<d:KeyInfo", "<e:Other/><d:KeyInfo"),
                good.replace("</saml:EncryptedAssertion>", idp.signed() + "</saml:EncryptedAssertion>"),
                good.replace("<e:CipherValue>", "<e:CipherValue><!-- x -->"))) {
            assertThat(each).isNotEqualTo(good);
            assertThat(said(policy("header"), header(each))).as(each).isEqualTo(INVALID);
        }
        assertThat(said(policy("header"), header(SamlSmith.response(good + good, idp.now()))))
                .isEqualTo(INVALID);
        assertThat(said(policy("header"), header(SamlSmith.response(good + idp.signed(), idp.now()))))
                .isEqualTo(INVALID);
    }

    @Test
    void what_comes_out_is_one_assertion_and_nothing_else() {
        String signed = idp.signed();
        for (String inside : List.of(
                "",
                "x",
                "<a/>",
                signed + signed,
                signed + "<a/>",
                "<a>" + signed + "</a>",
                signed.replace("alice", "al<!-- -->ice"),
                "<!DOCTYPE x>" + signed,
                signed + "</content><content>",
                SamlSmith.response(signed, idp.now()),
                closed(USUAL, signed),
                signed.substring(1))) {
            assertThat(said(policy("header"), header(closed(USUAL, inside))))
                    .as(inside)
                    .isEqualTo(INVALID);
        }
        String twice = SamlSmith.response(closed(USUAL, signed), idp.now())
                .replace("<samlp:Status>", "<samlp:Status ID=\"assertion\">");
        assertThat(said(policy("form"), form(twice))).isEqualTo(INVALID);
    }

    @Test
    void knows_the_prefixes_of_its_place() {
        String bare = idp.signed().replaceFirst(" xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\"", "");

        assertThat(said(policy("header"), header(closed(USUAL, bare)))).isEqualTo("passes");
    }

    @Property(tries = 200)
    void no_change_of_what_is_encrypted_gets_by(@ForAll @IntRange(max = 100_000) int at) {
        String closed = USUAL.closed(idp.signed(), OURS.publicKey(), at % 2 == 0); // of the key, or of the assertion
        String value = SamlAttacks.between(closed, "<e:CipherValue>", "</e:CipherValue>");
        byte[] content = Base64.getMimeDecoder().decode(value.replaceAll("<[^>]*>", ""));
        content[at % content.length] ^= 1;
        String changed = "<e:CipherValue>" + Base64.getEncoder().encodeToString(content) + "</e:CipherValue>";

        assertThat(said(policy("header"), header(closed.replace(value, changed))))
                .isEqualTo(INVALID);
    }

    @Test
    void is_taken_once_and_out_of_what_goes_on() {
        Policy once = idp.policy("soap-header", "'remove': true, 'decrypt': {'secret': 'saml'}");
        Exchange first = soap(SamlSmith.envelope(closed(USUAL, idp.signed())));

        assertThat(said(once, first)).isEqualTo("passes");
        assertThat(new String(first.outgoing().body().bytes(Long.MAX_VALUE), StandardCharsets.UTF_8))
                .doesNotContain("EncryptedAssertion")
                .contains("<order id=\"7\"/>");
        assertThat(said(once, soap(SamlSmith.envelope(closed(USUAL, idp.signed())))))
                .isEqualTo(INVALID); // encrypted anew, but the same
    }

    @Test
    void tells_which_keys_may_open() {
        for (String wrong : List.of(
                "x",
                OURS.pem(),
                SamlSmith.ec().privatePem(),
                SamlSmith.rsa(1024).privatePem())) {
            idp.services.secrets().put(Origin.SECRET, "saml", wrong);

            assertThatThrownBy(() -> policy("header"))
                    .isInstanceOf(InvalidConfigException.class)
                    .hasMessageContaining("/decrypt: expected a private key for RSA from 2,048 bits in PEM (PKCS #8)");
        }
    }
}
