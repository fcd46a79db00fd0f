package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.io.RequestThreadMode;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Bodies larger than any buffer: they stream, with back-pressure, in a JVM of 64 MB.
final class LargeBodiesTest {
    private static final long SIZE = 1L << 30;

    @ParameterizedTest
    @CsvSource({"IO, up", "IO, down", "JDK, up", "JDK, down"})
    void streams_a_gibibyte_through_a_heap_of_64_megabytes(String mode, String direction) throws Exception {
        try (ForkedProxy gateway = ForkedProxy.start(mode, "-Xmx64m", "-XX:MaxDirectMemorySize=32m")) {
            RawConnection client = gateway.client();
            long received = direction.equals("up") ? upload(client, gateway) : download(client, gateway);

            assertThat(received).isEqualTo(SIZE);
            assertThat(gateway.isAlive()).isTrue();
        }
    }

    private static long upload(RawConnection client, ForkedProxy gateway) throws Exception {
        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + SIZE + "\r\n\r\n");
        RawConnection upstream = gateway.upstream().accept();
        upstream.readHead();
        var sending = sending(client);
        long received = drain(upstream.in(), SIZE);
        upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        sending.get(60, TimeUnit.SECONDS);
        assertThat(Http.start(client.readHead())).isEqualTo("HTTP/1.1 200 OK");
        return received;
    }

    private static long download(RawConnection client, ForkedProxy gateway) throws Exception {
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        RawConnection upstream = gateway.upstream().accept();
        upstream.readHead();
        upstream.send("HTTP/1.1 200 OK\r\nContent-Length: " + SIZE + "\r\n\r\n");
        var sending = sending(upstream);
        client.readHead();
        long received = drain(client.in(), SIZE);
        sending.get(60, TimeUnit.SECONDS);
        return received;
    }

    private static CompletableFuture<Void> sending(RawConnection connection) {
        return CompletableFuture.runAsync(() -> {
            byte[] block = new byte[1 << 20];
            Arrays.fill(block, (byte) 'x');
            try {
                for (long sent = 0; sent < SIZE; sent += block.length)
                    connection.out().write(block);
            } catch (IOException e) {
                throw new CompletionException(e);
            }
        });
    }

    private static long drain(InputStream in, long expected) throws IOException {
        byte[] block = new byte[1 << 20];
        long received = 0;
        while (received < expected) {
            int count = in.read(block);
            if (count < 0) break;
            received += count;
        }
        return received;
    }

    /// An upstream that stops reading stops the client: what the gateway takes on meanwhile is bounded.
    @ParameterizedTest
    @CsvSource({"IO", "JDK"})
    void holds_an_upload_back_that_the_upstream_does_not_take(RequestThreadMode mode) throws Exception {
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client = proxy.client();
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + SIZE + "\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            long before = directBytes();
            var sending = sending(client);
            drain(upstream.in(), 1 << 22);

            assertThat(sending).isNotDone();
            assertThat(directBytes() - before).isLessThan(1 << 22);
            client.reset();
        }
    }

    private static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }
}
