package gateway.net;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// How a server of an upstream is spoken to by `https`.
///
/// @param ca PEM file of the authorities that are trusted; empty: those that Java trusts
/// @param certificate shown to the server, and where its key lies when that lies apart
/// @param serverName asked for (SNI), and to be found in the server's certificate
/// @param pins SHA-256 of public keys (SubjectPublicKeyInfo), lower case hexadecimal, of which the server must have
/// one; empty: any
public record UpstreamTls(
        Optional<Path> ca, Optional<Path> certificate, Optional<Path> key, String serverName, List<String> pins) {
    public UpstreamTls {
        pins = List.copyOf(pins);
    }

    /// Trusts whom Java trusts, and shows nothing.
    public static UpstreamTls to(String serverName) {
        return new UpstreamTls(Optional.empty(), Optional.empty(), Optional.empty(), serverName, List.of());
    }

    public UpstreamTls named(String other) {
        return new UpstreamTls(ca, certificate, key, other, pins);
    }
}
