package gateway.policies.identity;

import gateway.policies.cryptography.VerificationKey;

/// A token that was found good, and what it says.
///
/// @param id its `jti`; empty text: none
/// @param certificate SHA-256 of the certificate that it is bound to, in hexadecimal; empty text: none
/// @param end in milliseconds, when it is good no longer
/// @param issuer name of the one who has signed it
/// @param signer the key that has
/// @param length of the token
record VerifiedToken(
        TokenSubject subject,
        String id,
        String certificate,
        long end,
        String issuer,
        VerificationKey signer,
        int length) {}
