package gateway.wire.tls;

import java.util.List;
import java.util.stream.Collectors;

/// Files of one side of TLS that cannot be used, all that were found. The message names each file and what is wrong
/// with it; never what it holds.
public final class TlsFilesException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient List<Fault> faults;

    TlsFilesException(List<Fault> faults) {
        super(faults.stream().map(Fault::message).collect(Collectors.joining("\n")));
        this.faults = List.copyOf(faults);
    }

    public List<Fault> faults() {
        return faults;
    }

    /// What is wrong with one file.
    ///
    /// @param place of the certificate among those that are presented, from 0; 0 for the others
    /// @param message with the file's name
    public record Fault(Use use, int place, String message) {}

    /// What a file is there for.
    public enum Use {
        /// Shows who this side is: a certificate and its key.
        CERTIFICATE,
        /// Tells whom this side trusts: authorities, and what they have revoked.
        TRUST
    }
}
