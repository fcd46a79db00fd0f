package gateway.policies.identity;

import java.util.List;
import java.util.Optional;

/// What a request says of its signature, which nobody has verified yet.
///
/// @param algorithm as the message calls it; empty: it does not say
/// @param base what was signed, characters of ISO 8859-1
/// @param signature in Base64
/// @param covered names of the components that are signed
/// @param digest the field with the digest of the body, when that is signed
/// @param end from when on it is refused as too old, milliseconds
/// @param once tells it from all others of its key
record SignatureClaim(
        String keyId,
        Optional<String> algorithm,
        String base,
        String signature,
        List<String> covered,
        Optional<String> digest,
        long end,
        String once) {
    SignatureClaim {
        covered = List.copyOf(covered);
    }
}
