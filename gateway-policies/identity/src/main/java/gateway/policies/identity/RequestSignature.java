package gateway.policies.identity;

import gateway.policies.cryptography.MessageAlgorithm;
import gateway.policy.BodyAccess;
import gateway.policy.BodyUse;
import gateway.policy.CredentialFields;
import gateway.policy.Policy;
import gateway.policy.RunsOn;
import gateway.policy.Services;
import gateway.service.SecretReference;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A signature of each request (RFC 9421), as a definition says it.
///
/// @param host that the upstream's targets are called by, as its verifier sees it
/// @param key a private key and its public one in PEM, or the secret of HMAC
/// @param keyId what the upstream knows the key by
/// @param cover components that are signed; fields that a request does not have are left out
/// @param tag what the signature is for
/// @param lifetime for how long it is good
/// @param maxBody most of a body that is held to be signed
record RequestSignature(
        String host,
        Algorithm algorithm,
        SecretReference key,
        String keyId,
        List<String> cover,
        String label,
        Optional<String> tag,
        Duration lifetime,
        long maxBody)
        implements UpstreamCredential {
    static final String DIGEST = "content-digest";

    /// Algorithms that requests are signed by.
    enum Algorithm {
        ED25519(MessageAlgorithm.ED25519, Optional.of(OwnAlgorithm.EDDSA)),
        ECDSA_P256_SHA256(MessageAlgorithm.ECDSA_P256_SHA256, Optional.of(OwnAlgorithm.ES256)),
        RSA_V1_5_SHA256(MessageAlgorithm.RSA_V1_5_SHA256, Optional.of(OwnAlgorithm.RS256)),
        HMAC_SHA256(MessageAlgorithm.HMAC_SHA256, Optional.empty());

        private final MessageAlgorithm message;
        private final Optional<OwnAlgorithm> own;

        Algorithm(MessageAlgorithm message, Optional<OwnAlgorithm> own) {
            this.message = message;
            this.own = own;
        }

        /// As signatures call it.
        MessageAlgorithm message() {
            return message;
        }

        /// How a private key signs by it; empty: there is a secret.
        Optional<OwnAlgorithm> own() {
            return own;
        }
    }

    RequestSignature {
        cover = List.copyOf(cover);
    }

    @Override
    public Policy ready(Services services) {
        return new RequestSigning(this, RequestSigner.of(this, services.secret(key)), services.clock());
    }

    boolean coversBody() {
        return cover.contains(DIGEST);
    }

    @Override
    public BodyUse bodyUse() {
        return coversBody() ? BodyUse.ofRequests(BodyAccess.held(maxBody)) : BodyUse.NONE;
    }

    /// Private keys take their time.
    @Override
    public RunsOn runsOn() {
        return algorithm == Algorithm.HMAC_SHA256 ? RunsOn.REQUEST_THREAD : RunsOn.WORKER;
    }

    @Override
    public CredentialFields fields() {
        return new CredentialFields(Set.of("Signature"), Set.of());
    }
}
