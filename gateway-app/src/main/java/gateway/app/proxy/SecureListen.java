package gateway.app.proxy;

import gateway.app.settings.Address;
import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.wire.tls.ServerTls;
import gateway.wire.tls.TlsFilesException;
import gateway.wire.tls.TlsSettings;
import java.time.Duration;
import java.time.InstantSource;

/// Where clients call over TLS, and what they are presented.
///
/// @param check how often the files are looked at for changes
public record SecureListen(Address listen, TlsSettings tls, Duration check) {
    /// Reads the files.
    ///
    /// @throws InvalidConfigException naming each that cannot be used under its setting
    public ServerTls read(InstantSource clock) {
        try {
            return ServerTls.of(tls, clock);
        } catch (TlsFilesException e) {
            throw refused(e);
        }
    }

    /// Reads the files again.
    ///
    /// @throws InvalidConfigException as [#read]; what was presented is then presented still
    public static void reload(ServerTls presented) {
        try {
            presented.reload();
        } catch (TlsFilesException e) {
            throw refused(e);
        }
    }

    private static InvalidConfigException refused(TlsFilesException why) {
        return new InvalidConfigException(
                why.faults().stream().map(SecureListen::problem).toList());
    }

    private static ConfigProblem problem(TlsFilesException.Fault fault) {
        String pointer = switch (fault.use()) {
            case CERTIFICATE -> "/tlsCertificates/" + fault.place();
            case TRUST -> "/tlsClientCa";
        };
        return new ConfigProblem(pointer, fault.message());
    }
}
