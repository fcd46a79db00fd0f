package gateway.wire.accept;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.xnio.conduits.StreamSourceConduit;

/// The line or block that a proxy puts before a client's bytes to say who the client is: the PROXY protocol, versions 1
/// and 2 (haproxy.org, proxy-protocol.txt). Reads no byte beyond it.
final class ProxyHeader {
    private static final byte[] SIGNATURE = HexFormat.of().parseHex("0d0a0d0a000d0a515549540a");
    private static final int FIXED = 16; // signature, version and command, family, length
    private static final int LONGEST_LINE = 107;
    private static final int LONGEST_BLOCK = 4 * 1024; // with what version 2 may append
    private static final int TCP4 = 0x11;
    private static final int TCP6 = 0x21;

    private final ByteBuffer bytes = ByteBuffer.allocate(FIXED + LONGEST_BLOCK);

    ProxyHeader() {
        bytes.limit(SIGNATURE.length);
    }

    /// Reads on; answers whether the header is whole.
    ///
    /// @throws ProtocolException when what comes is none
    boolean read(StreamSourceConduit from) throws IOException {
        while (true) {
            while (bytes.hasRemaining()) {
                int count = from.read(bytes);
                if (count < 0) throw new EOFException("the connection ended before its PROXY header");
                if (count == 0) return false;
            }
            int more = missing();
            if (more == 0) return true;
            bytes.limit(bytes.position() + more);
        }
    }

    /// How many bytes must at least follow.
    private int missing() throws ProtocolException {
        int have = bytes.position();
        if (isBlock()) {
            if (have < FIXED) return FIXED - have;
            int length = bytes.getShort(14) & 0xffff;
            if (length > LONGEST_BLOCK) throw new ProtocolException("the PROXY header is too long");
            return FIXED + length - have;
        }
        if (have <= SIGNATURE.length && !text().startsWith("PROXY ")) throw new ProtocolException("no PROXY header");
        if (bytes.get(have - 1) == '\n') {
            if (bytes.get(have - 2) != '\r') throw new ProtocolException("the PROXY line does not end in CR LF");
            return 0;
        }
        if (have > LONGEST_LINE - 1) throw new ProtocolException("the PROXY line is too long");
        return bytes.get(have - 1) == '\r' ? 1 : 2; // never past the line's own end
    }

    private boolean isBlock() {
        for (int i = 0; i < SIGNATURE.length; i++) {
            if (bytes.get(i) != SIGNATURE[i]) return false;
        }
        return true;
    }

    private String text() {
        return new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII);
    }

    /// Whom the header names; `peer` itself when it speaks for nobody but itself.
    ///
    /// @throws ProtocolException when it is malformed
    InetSocketAddress client(InetSocketAddress peer) throws IOException {
        return isBlock() ? ofBlock(peer) : ofLine(peer);
    }

    private InetSocketAddress ofLine(InetSocketAddress peer) throws IOException {
        String[] words = text().strip().split(" ", -1);
        if (words[1].equals("UNKNOWN")) return peer;
        boolean known = words.length == 6 && (words[1].equals("TCP4") || words[1].equals("TCP6"));
        if (!known || !words[4].matches("\\d{1,5}") || !words[2].matches("[0-9a-fA-F:.]{2,45}")) {
            throw new ProtocolException("the PROXY line is malformed");
        }
        int port = Integer.parseInt(words[4]);
        if (port > 65535 || isIpv6(words[2]) != words[1].equals("TCP6")) {
            throw new ProtocolException("the PROXY line is malformed");
        }
        return new InetSocketAddress(literal(words[2]), port);
    }

    /// As it is written: a client that came by IPv4 to a socket of IPv6 is named `::ffff:192.0.2.1`, and is one of IPv4
    /// to us.
    private static boolean isIpv6(String literal) {
        return literal.indexOf(':') >= 0;
    }

    /// Never a name, so nothing is looked up.
    private static InetAddress literal(String text) throws ProtocolException {
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException e) {
            throw new ProtocolException("the PROXY line names no address");
        }
    }

    private InetSocketAddress ofBlock(InetSocketAddress peer) throws IOException {
        int versionAndCommand = bytes.get(12) & 0xff;
        if (versionAndCommand == 0x20) return peer; // LOCAL: the proxy's own health check
        if (versionAndCommand != 0x21) throw new ProtocolException("the PROXY header has another version or command");
        int length = bytes.getShort(14) & 0xffff;
        return switch (bytes.get(13) & 0xff) {
            case TCP4 -> ofBlock(4, length);
            case TCP6 -> ofBlock(16, length);
            case 0 -> peer;
            default -> throw new ProtocolException("the PROXY header is not of TCP");
        };
    }

    private InetSocketAddress ofBlock(int octets, int length) throws IOException {
        if (length < 2 * octets + 4) throw new ProtocolException("the PROXY header is too short");
        byte[] address = new byte[octets];
        bytes.get(FIXED, address);
        int port = bytes.getShort(FIXED + 2 * octets) & 0xffff;
        return new InetSocketAddress(InetAddress.getByAddress(address), port);
    }
}
