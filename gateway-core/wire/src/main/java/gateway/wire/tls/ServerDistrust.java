package gateway.wire.tls;

import gateway.http.FailureReason;
import java.io.IOException;
import java.security.cert.CertificateException;
import org.jspecify.annotations.Nullable;

/// A server is not trusted, and this is what is wrong with it.
public final class ServerDistrust extends CertificateException {
    private final FailureReason reason;

    ServerDistrust(FailureReason reason, String message) {
        super(message);
        this.reason = reason;
    }

    ServerDistrust(FailureReason reason, CertificateException why) {
        super(why.getMessage(), why.getCause() == null ? why : why.getCause()); // alerts go by the cause
        this.reason = reason;
    }

    /// Why a handshake with a server has failed.
    public static FailureReason reasonOf(IOException failure) {
        for (@Nullable Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof ServerDistrust distrust) return distrust.reason;
        }
        return FailureReason.TLS_HANDSHAKE;
    }
}
