package gateway.app.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.HexFormat;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The PROXY protocol before plain HTTP and before TLS, over real sockets.
final class ProxyProtocolTest {
    private static final String LAST = "GET /x HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n";
    private static final String SIGNATURE = "0d0a0d0a000d0a515549540a";
    private static SecureGateway gateway;

    @BeforeAll
    static void start() throws IOException {
        gateway = behind("[\"127.0.0.1\"]", Duration.ofSeconds(10));
    }

    @AfterAll
    static void stop() throws IOException {
        gateway.close();
    }

    @BeforeEach
    void forget() {
        gateway.upstream.forget();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PROXY TCP4 203.0.113.7 192.0.2.1 40000 443\r\n",
                "PROXY TCP6 2001:db8::7 2001:db8::1 40000 443\r\n",
                "PROXY TCP6 ::ffff:203.0.113.7 ::ffff:192.0.2.1 40000 443\r\n",
                "PROXY UNKNOWN\r\n",
                "PROXY UNKNOWN ffff:f...f:ffff ffff:f...f:ffff 65535 65535\r\n"
            })
    void version_1_names_the_client(String header) throws IOException {
        String client = header.contains("UNKNOWN") ? "127.0.0.1" : header.split(" ", -1)[2];

        assertThat(exchange(header + LAST)).startsWith("HTTP/1.1 200 ");
        assertThat(forwardedFor()).isEqualTo(InetAddress.ofLiteral(client).getHostAddress());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2111000ccb007107c00002019c4001bb", // TCP over IPv4
                "2111000fcb007107c00002019c4001bb040000", // and more behind it
                "21210024" + "20010db8000000000000000000000007" + "20010db8000000000000000000000001" + "9c4001bb",
                "21210024" + "00000000000000000000ffffcb007107" + "00000000000000000000ffffc0000201" + "9c4001bb",
                "20000000", // the proxy's own health check
                "21000000"
            })
    void version_2_names_the_client(String block) throws IOException {
        String expected = block.startsWith("2111") || block.contains("ffffcb007107")
                ? "203.0.113.7"
                : block.startsWith("2121") ? "2001:db8:0:0:0:0:0:7" : "127.0.0.1";

        assertThat(exchange(binary(block) + LAST)).startsWith("HTTP/1.1 200 ");
        assertThat(forwardedFor()).isEqualTo(expected);
    }

    @Test
    void a_header_octet_by_octet_is_a_header() throws IOException {
        try (Socket client = client(gateway)) {
            for (byte octet : ("PROXY TCP4 203.0.113.7 192.0.2.1 1 2\r\n" + LAST).getBytes(ISO_8859_1)) {
                client.getOutputStream().write(octet);
            }

            assertThat(SecureGateway.exchange(client, "")).startsWith("HTTP/1.1 200 ");
        }
        assertThat(forwardedFor()).isEqualTo("203.0.113.7");
    }

    @Test
    void a_header_may_stand_before_tls() throws IOException {
        try (Socket raw = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
            raw.setSoTimeout(10_000);
            raw.getOutputStream().write("PROXY TCP4 203.0.113.7 192.0.2.1 1 2\r\n".getBytes(ISO_8859_1));
            var client = (SSLSocket)
                    gateway.authority.client().getSocketFactory().createSocket(raw, "a.example", gateway.port(), true);

            assertThat(SecureGateway.exchange(client, LAST)).startsWith("HTTP/1.1 200 ");
        }
        assertThat(forwardedFor()).isEqualTo("203.0.113.7");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                LAST,
                "PROXY TCP4 203.0.113.7 192.0.2.1 1\r\n" + LAST,
                "PROXY TCP4 2001:db8::7 2001:db8::1 1 2\r\n" + LAST,
                "PROXY TCP4 ::ffff:203.0.113.7 ::ffff:192.0.2.1 1 2\r\n" + LAST,
                "PROXY TCP6 203.0.113.7 192.0.2.1 1 2\r\n" + LAST,
                "PROXY TCP4 localhost 192.0.2.1 1 2\r\n" + LAST,
                "PROXY TCP4 203.0.113.7 192.0.2.1 70000 2\r\n" + LAST,
                "PROXY TCP4 203.0.113.7 192.0.2.1 1 2\n" + LAST,
                "PROXY UDP4 203.0.113.7 192.0.2.1 1 2\r\n" + LAST
            })
    void a_trusted_peer_without_a_sound_header_is_closed(String bytes) throws IOException {
        assertThat(exchange(bytes)).isEmpty();
        assertThat(gateway.upstream.bytes).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2211000ccb007107c00002019c4001bb",
                "2112000ccb007107c00002019c4001bb",
                "21110004cb007107",
                "2111ffff"
            })
    void a_block_that_is_not_sound_is_closed(String block) throws IOException {
        assertThat(exchange(binary(block) + LAST)).isEmpty();
        assertThat(gateway.upstream.bytes).hasValue(0);
    }

    @Test
    void a_header_of_anybody_else_is_no_http() throws IOException {
        try (SecureGateway other = behind("[\"192.0.2.0/24\"]", Duration.ofSeconds(10));
                Socket client = client(other)) {
            assertThat(SecureGateway.exchange(client, "PROXY TCP4 203.0.113.7 192.0.2.1 1 2\r\n" + LAST))
                    .startsWith("HTTP/1.1 400 ");
        }
    }

    @Test
    void a_header_that_does_not_come_is_closed_on_its_deadline() throws IOException {
        try (SecureGateway impatient = behind("[\"127.0.0.1\"]", Duration.ofMillis(200));
                Socket client = client(impatient)) {
            client.getOutputStream().write("PROXY TC".getBytes(ISO_8859_1));
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
    }

    private static SecureGateway behind(String proxies, Duration patience) throws IOException {
        return new SecureGateway(
                (own, usual) -> usual,
                plane -> plane.withTimeouts(patience, Duration.ofSeconds(60), Duration.ofSeconds(30)),
                HostileGateway.ranges(proxies),
                "");
    }

    private static String binary(String block) {
        return new String(HexFormat.of().parseHex(SIGNATURE + block), ISO_8859_1);
    }

    private static Socket client(SecureGateway of) throws IOException {
        var socket = new Socket(
                InetAddress.getLoopbackAddress(), of.dataPlane().address().getPort());
        socket.setSoTimeout(10_000);
        socket.setTcpNoDelay(true);
        return socket;
    }

    /// What comes until the other side closes or resets.
    private static String exchange(String bytes) throws IOException {
        try (Socket client = client(gateway)) {
            return SecureGateway.exchange(client, bytes);
        } catch (java.net.SocketException e) {
            return "";
        }
    }

    private static String forwardedFor() {
        return gateway.upstream.requests.getFirst().all("X-Forwarded-For").getFirst();
    }
}
