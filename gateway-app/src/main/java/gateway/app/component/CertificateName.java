package gateway.app.component;

import gateway.http.ClientCertificate;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;

/// How a client's certificate is known: by its SHA-256, or by its subject, which a renewed one has too.
///
/// @param sha256 64 hexadecimal digits in lower case; or else `subject`
public record CertificateName(Optional<String> sha256, Optional<X500Principal> subject) {
    private static final Pattern FINGERPRINT = Pattern.compile("([0-9A-Fa-f]{2}:?){31}[0-9A-Fa-f]{2}");

    /// Empty for what is neither. In a subject `;` may stand for the comma, as RFC 1779 has it: in lists a comma is
    /// taken.
    public static Optional<CertificateName> parse(String text) {
        if (FINGERPRINT.matcher(text).matches()) {
            String digits = text.replace(":", "").toLowerCase(Locale.ROOT);
            return Optional.of(new CertificateName(Optional.of(digits), Optional.empty()));
        }
        if (text.indexOf('=') < 0) return Optional.empty();
        try {
            return Optional.of(new CertificateName(Optional.empty(), Optional.of(new X500Principal(text))));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    public boolean names(ClientCertificate shown) {
        return sha256.map(shown.sha256()::equals).orElse(false)
                || subject.map(shown.subject()::equals).orElse(false);
    }
}
