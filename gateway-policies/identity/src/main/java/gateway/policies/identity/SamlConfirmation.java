package gateway.policies.identity;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// One way in which whoever shows an assertion may be the one it is about (SAML 2.0 Profiles §3).
///
/// @param method as SAML calls it
/// @param recipient where it may be shown; empty: it does not say
/// @param certificates SHA-256, in hexadecimal, of those of whom one has to be shown, for a holder of a key
record SamlConfirmation(
        String method,
        Optional<Instant> begin,
        Optional<Instant> end,
        Optional<String> recipient,
        List<String> certificates) {
    static final String BEARER = "urn:oasis:names:tc:SAML:2.0:cm:bearer";
    static final String HOLDER_OF_KEY = "urn:oasis:names:tc:SAML:2.0:cm:holder-of-key";

    SamlConfirmation {
        certificates = List.copyOf(certificates);
    }
}
