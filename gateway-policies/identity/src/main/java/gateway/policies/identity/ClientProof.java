package gateway.policies.identity;

import gateway.http.Secret;
import gateway.json.Json;
import gateway.service.CallRequest;
import gateway.service.DependencyException;
import gateway.service.Workers;
import gateway.service.WorkersBusyException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/// Shows a server that gives or judges tokens who asks. Equal ones show the same.
sealed interface ClientProof {
    /// Adds to a form what of it stands there.
    default void fill(Map<String, String> form) {}

    /// Adds to a request what of it stands in its fields.
    default CallRequest sign(CallRequest request) {
        return request;
    }

    /// A question with this form.
    ///
    /// @throws DependencyException when it cannot be made now
    default CallRequest post(String path, Map<String, String> form) {
        var all = new LinkedHashMap<>(form);
        fill(all);
        byte[] content = TokenClient.encoded(all).getBytes(StandardCharsets.US_ASCII);
        return sign(CallRequest.post(path, "application/x-www-form-urlencoded", content)
                .with("Accept", "application/json"));
    }

    record InHeader(String id, Secret secret) implements ClientProof {
        @Override
        public CallRequest sign(CallRequest request) {
            String both = TokenClient.encoded(id) + ':' + TokenClient.encoded(secret.reveal());
            String shown = Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.US_ASCII));
            return request.with("Authorization", "Basic " + shown);
        }
    }

    record InForm(String id, Secret secret) implements ClientProof {
        @Override
        public void fill(Map<String, String> form) {
            form.put("client_id", id);
            form.put("client_secret", secret.reveal());
        }
    }

    /// A token of its own for each question, which servers take once (RFC 7523 §3).
    ///
    /// @param workers where it is signed: private keys take their time
    record Signed(String id, SigningKey key, String audience, Workers workers, InstantSource clock)
            implements ClientProof {
        private static final Duration LIFETIME = Duration.ofMinutes(1);

        @Override
        public void fill(Map<String, String> form) {
            form.put("client_id", id);
            form.put("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
            form.put("client_assertion", signed());
        }

        private String signed() {
            try {
                return workers.callBriefly(audience, this::assertion);
            } catch (WorkersBusyException e) {
                throw new DependencyException(audience, "busy", "too many tokens wait to be signed", e);
            }
        }

        private String assertion() {
            Instant now = clock.instant();
            return key.sign(Json.mapper()
                    .createObjectNode()
                    .put("iss", id)
                    .put("sub", id)
                    .put("aud", audience)
                    .put("jti", RandomText.next())
                    .put("iat", now.getEpochSecond())
                    .put("exp", now.plus(LIFETIME).getEpochSecond()));
        }
    }

    /// The connection shows a certificate, by the `tls` of its target.
    record ByConnection(String id) implements ClientProof {
        @Override
        public void fill(Map<String, String> form) {
            form.put("client_id", id);
        }
    }
}
