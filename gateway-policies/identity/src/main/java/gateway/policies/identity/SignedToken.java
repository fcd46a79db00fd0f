package gateway.policies.identity;

import gateway.policies.cryptography.VerificationKey;

/// A token whose signature is right; of its claims nothing is known yet.
record SignedToken(CompactToken token, TokenIssuer issuer, VerificationKey signer) {}
