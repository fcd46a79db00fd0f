package gateway.policies.message.jose;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import gateway.config.OutageCase;
import gateway.http.Body;
import gateway.http.Exchanges;
import gateway.http.Headers;
import gateway.policy.FakeServices;
import gateway.policy.TroubledServices.Port;
import gateway.service.CallAnswer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Where `jose` asks a server for keys: on the way in and on the way back.
public final class JoseOutages {
    private static final String KEYS = "\"jwks\": \"https://partner.example/keys\"";

    private JoseOutages() {}

    public static List<OutageCase> cases() {
        return List.of(
                OutageCase.of(
                        Port.SERVERS,
                        "{\"type\": \"jose\", \"request\": [{\"verify\": {" + KEYS
                                + ", \"algorithms\": [\"ES256\"]}}]}",
                        JoseOutages::keys,
                        (_, _) -> signed()),
                OutageCase.of(
                        Port.SERVERS,
                        "{\"type\": \"jose\", \"response\": [{\"encrypt\": {" + KEYS
                                + ", \"algorithm\": \"ECDH-ES\"}}]}",
                        JoseOutages::keys,
                        (_, _) -> Exchanges.get("/")));
    }

    private static void keys(FakeServices services) {
        byte[] set = JoseSmith.set(JoseSmith.PARTNER).getBytes(StandardCharsets.UTF_8);
        services.calls().serve("https://partner.example", _ -> new CallAnswer(200, Headers.create(), Body.of(set)));
    }

    private static Exchanges signed() {
        try {
            var header = new JWSHeader.Builder(JWSAlgorithm.ES256)
                    .keyID(JoseSmith.PARTNER.getKeyID())
                    .build();
            var message = new JWSObject(header, new Payload("{\"a\": 1}"));
            message.sign(new ECDSASigner(JoseSmith.PARTNER));
            return Exchanges.of("POST", "/")
                    .with("Content-Type", "application/jose")
                    .body(message.serialize());
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }
}
