package gateway.app.proxy;

import static gateway.app.proxy.Http2Wire.number;
import static gateway.app.proxy.Http2Wire.setting;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Bodies larger than any buffer over HTTP/2: the windows hold them back, in a JVM of 64 MB.
final class Http2LargeBodiesTest {
    private static final long SIZE = 1L << 29;
    private static final int BLOCK = 1 << 14;

    @ParameterizedTest
    @CsvSource({"IO, up", "IO, down", "JDK, up", "JDK, down"})
    void streams_half_a_gibibyte_through_a_heap_of_64_megabytes(String mode, String direction) throws Exception {
        try (ForkedProxy gateway = ForkedProxy.start(mode, "-Xmx64m", "-XX:MaxDirectMemorySize=32m");
                Http2Wire client = new Http2Wire(gateway.address()).begin()) {
            long received = direction.equals("up") ? upload(client, gateway) : download(client, gateway);

            assertThat(received).isEqualTo(SIZE);
            assertThat(gateway.isAlive()).isTrue();
        }
    }

    private static long upload(Http2Wire client, ForkedProxy gateway) throws Exception {
        client.post(1, "/", "content-length", Long.toString(SIZE));
        RawConnection upstream = gateway.upstream().accept();
        upstream.readHead();
        var drained = CompletableFuture.supplyAsync(() -> {
            try {
                upstream.in().skipNBytes(SIZE);
                return SIZE;
            } catch (IOException e) {
                throw new CompletionException(e);
            }
        });
        byte[] block = new byte[BLOCK];
        long stream = 64 * 1024 - 1;
        long connection = stream;
        for (long sent = 0; sent < SIZE; sent += BLOCK) {
            while (Math.min(stream, connection) < BLOCK) {
                Http2Wire.Frame update = client.next(Http2Wire.WINDOW_UPDATE);
                if (update.stream() == 0) connection += update.code();
                else stream += update.code();
            }
            stream -= BLOCK;
            connection -= BLOCK;
            client.frame(Http2Wire.DATA, sent + BLOCK == SIZE ? Http2Wire.END_STREAM : 0, 1, block);
        }
        long received = drained.get(60, TimeUnit.SECONDS);
        upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        assertThat(client.answer(1).status()).isEqualTo("200");
        return received;
    }

    private static long download(Http2Wire client, ForkedProxy gateway) throws Exception {
        client.frame(Http2Wire.SETTINGS, 0, 0, setting(4, 1 << 20));
        client.frame(Http2Wire.WINDOW_UPDATE, 0, 0, number(1 << 20)).get(1, "/");
        RawConnection upstream = gateway.upstream().accept();
        upstream.readHead();
        upstream.send("HTTP/1.1 200 OK\r\nContent-Length: " + SIZE + "\r\n\r\n");
        var sending = CompletableFuture.runAsync(() -> {
            try {
                for (long sent = 0; sent < SIZE; sent += BLOCK) upstream.send(new byte[BLOCK]);
            } catch (IOException e) {
                throw new CompletionException(e);
            }
        });
        long received = 0;
        int unsaid = 0;
        while (received < SIZE) {
            int count = client.next(Http2Wire.DATA).payload().length();
            received += count;
            unsaid += count;
            if (unsaid < 1 << 19) continue;
            client.frame(Http2Wire.WINDOW_UPDATE, 0, 0, number(unsaid));
            client.frame(Http2Wire.WINDOW_UPDATE, 0, 1, number(unsaid));
            unsaid = 0;
        }
        sending.get(60, TimeUnit.SECONDS);
        return received;
    }
}
