package gateway.app.proxy;

import gateway.app.settings.Address;
import gateway.wire.tls.TlsSettings;
import java.time.Duration;

/// Where clients call over TLS, and what they are presented.
///
/// @param check how often the files are looked at for changes
public record SecureListen(Address listen, TlsSettings tls, Duration check) {}
