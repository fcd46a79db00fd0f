package gateway.policies.identity;

import gateway.http.Secret;
import gateway.policy.BodyAccess;
import gateway.policy.BodyUse;
import gateway.policy.CredentialFields;
import gateway.policy.Policy;
import gateway.policy.Services;
import gateway.service.SecretReference;
import java.util.Optional;
import java.util.Set;

/// Signature Version 4 of AWS, as a definition says it.
///
/// @param host that the upstream's targets are called by, with a port that is not the usual one
/// @param accessKey its id
/// @param token of a session
/// @param payload whether the body is signed, which holds it
/// @param maxBody most of a body that is held for that
record AwsAuth(
        String host,
        String region,
        String service,
        SecretReference accessKey,
        SecretReference secretKey,
        Optional<SecretReference> token,
        Payload payload,
        long maxBody)
        implements UpstreamCredential {
    enum Payload {
        SIGNED,
        UNSIGNED
    }

    @Override
    public Policy ready(Services services) {
        Optional<Secret> session = token.map(services::secret);
        var signer =
                new AwsSigner(host, region, service, services.secret(accessKey), services.secret(secretKey), session);
        return new AwsSigning(signer, payload, services.clock());
    }

    @Override
    public CredentialFields fields() {
        return new CredentialFields(Set.of("X-Amz-Security-Token"), Set.of());
    }

    @Override
    public BodyUse bodyUse() {
        return payload == Payload.SIGNED ? BodyUse.ofRequests(BodyAccess.held(maxBody)) : BodyUse.NONE;
    }
}
