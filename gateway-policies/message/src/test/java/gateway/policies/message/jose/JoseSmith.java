package gateway.policies.message.jose;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.OctetSequenceKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import gateway.policies.message.PolicyRun;
import gateway.policy.FakeServices;
import gateway.service.SecretReference.Origin;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/// Keys for tests, and definitions with them.
final class JoseSmith {
    static final ECKey EC = ec("ours", Curve.P_256);
    static final ECKey PARTNER = ec("partner", Curve.P_256);
    static final RSAKey RSA = rsa();
    static final OctetSequenceKey OCTETS = octets(256);

    private JoseSmith() {}

    private static ECKey ec(String id, Curve curve) {
        try {
            return new ECKeyGenerator(curve).keyID(id).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static RSAKey rsa() {
        try {
            return new RSAKeyGenerator(2048).keyID("rsa").generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    static OctetSequenceKey octets(int bits) {
        try {
            return new OctetSequenceKeyGenerator(bits).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /// A key set of the public keys.
    static String set(JWK... keys) {
        List<String> texts = List.of(keys).stream()
                .map(key -> key.toPublicJWK().toJSONString())
                .toList();
        return "{\"keys\": [" + String.join(", ", texts) + "]}";
    }

    /// A policy with these fields, which find secrets as variables `GATEWAY_SECRET_A` and so on.
    static PolicyRun run(String fields, String... secrets) {
        var services = new FakeServices();
        for (int i = 0; i < secrets.length; i++) {
            services.secrets().put(Origin.ENV, "GATEWAY_SECRET_" + (char) ('A' + i), secrets[i]);
        }
        return PolicyRun.of("{\"type\": \"jose\", " + fields + "}", services);
    }

    static String encoded(String text) {
        return encoded(text.getBytes(StandardCharsets.UTF_8));
    }

    static String encoded(byte[] content) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(content);
    }

    static String decoded(String part) {
        return new String(Base64.getUrlDecoder().decode(part), StandardCharsets.UTF_8);
    }
}
