package gateway.wire.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ServerNameTest {
    private static final int RECORD_HEADER = 5;

    @ParameterizedTest
    @ValueSource(
            strings = {"a.example", "A.Example", "a_b.example", "-a.example", "a b", "192.0.2.1", "2001:db8::1", "."})
    void is_what_the_client_asks_for_in_records_of_any_size(String name) throws Exception {
        byte[] hello = hello(name);

        assertThat(ServerName.in(ByteBuffer.wrap(hello))).isEqualTo(name);
        for (int size : new int[] {1, 3, 7, 100}) {
            assertThat(ServerName.in(ByteBuffer.wrap(inRecordsOf(size, hello)))).isEqualTo(name);
        }
    }

    @Test
    void is_empty_when_the_client_asks_for_none() throws Exception {
        assertThat(ServerName.in(ByteBuffer.wrap(hello("")))).isEmpty();
    }

    /// A length of something before it may be too small, and then whatever follows is read as the rest.
    @Test
    void is_none_or_some_in_a_message_that_breaks_off_or_is_damaged() throws Exception {
        byte[] hello = hello("a.example");
        for (int length = 0; length <= hello.length; length++) {
            assertThat(ServerName.in(ByteBuffer.wrap(hello, 0, length))).isIn("", "a.example");
        }
        for (int at = 0; at < hello.length; at++) {
            for (int octet = 0; octet < 256; octet++) {
                byte[] damaged = hello.clone();
                damaged[at] = (byte) octet;
                assertThat(ServerName.in(ByteBuffer.wrap(damaged))).isNotNull();
            }
        }
    }

    @Test
    void its_position_in_the_buffer_does_not_matter_and_stays() throws Exception {
        byte[] hello = hello("a.example");
        ByteBuffer received = ByteBuffer.allocate(3 + hello.length)
                .put(new byte[3])
                .put(hello)
                .flip()
                .position(3);

        assertThat(ServerName.in(received)).isEqualTo("a.example");
        assertThat(received.position()).isEqualTo(3);
    }

    /// As the JDK writes it.
    private static byte[] hello(String name) throws NoSuchAlgorithmException, SSLException {
        SSLEngine client = SSLContext.getDefault().createSSLEngine();
        client.setUseClientMode(true);
        var parameters = client.getSSLParameters();
        if (!name.isEmpty()) parameters.setServerNames(List.of(new SNIServerName(0, name.getBytes(US_ASCII)) {}));
        client.setSSLParameters(parameters);
        ByteBuffer hello = ByteBuffer.allocate(client.getSession().getPacketBufferSize());
        client.wrap(ByteBuffer.allocate(0), hello);
        return Arrays.copyOf(hello.array(), hello.position());
    }

    private static byte[] inRecordsOf(int size, byte[] hello) {
        var records = new ByteArrayOutputStream();
        for (int at = RECORD_HEADER; at < hello.length; at += size) {
            int length = Math.min(size, hello.length - at);
            records.writeBytes(new byte[] {22, 3, 1, (byte) (length >> 8), (byte) length});
            records.write(hello, at, length);
        }
        return records.toByteArray();
    }
}
