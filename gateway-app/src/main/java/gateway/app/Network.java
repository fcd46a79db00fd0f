package gateway.app;

import java.net.InetAddress;
import java.util.Optional;

/// A range of addresses, such as `10.0.0.0/8` or `fd00::/8` (RFC 4632, RFC 4291).
///
/// @param prefix bits that an address must share with `base`
public record Network(InetAddress base, int prefix) {
    /// Reads an address literal, with or without `/prefix`. Names are refused: nothing is looked up.
    public static Optional<Network> parse(String text) {
        int slash = text.indexOf('/');
        try {
            InetAddress base = InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash));
            int bits = base.getAddress().length * 8;
            int prefix = slash < 0 ? bits : Integer.parseInt(text.substring(slash + 1));
            return prefix < 0 || prefix > bits ? Optional.empty() : Optional.of(new Network(base, prefix));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return base.getHostAddress() + "/" + prefix;
    }
}
