package gateway.app.proxy;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// More bodies to hold at once than the process has memory for, with as much of it as the entry point of the image
/// gives it at W1.
@Timeout(180)
final class BodyCrowdTest {
    private static final int REQUESTS = 500;
    private static final int SIZE = 5_000_000;
    private static final byte[] PIECE = new byte[50_000];
    private static final int FIRST = 20; // pieces, which together are more than there is room for
    private static final String HEAD = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + SIZE + "\r\n\r\n";

    private static final String REFUSED = "HTTP/1.1 503 Service Unavailable";

    /// Who waits for the others for 2 s, on a slow machine, stands still while memory is crowded.
    private static final String STILL = "HTTP/1.1 408 Request Time-out";

    private final CountDownLatch begun = new CountDownLatch(REQUESTS);
    private final CountDownLatch answered = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    @Test
    void with_500_requests_of_5_MB_under_way_what_has_no_room_is_told_503_and_the_process_serves_on() throws Exception {
        try (HoldingProxy proxy = HoldingProxy.start("-Xmx1144m", "-XX:MaxDirectMemorySize=238m");
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var uploads = new ArrayList<Future<String>>();
            for (int i = 0; i < REQUESTS; i++) uploads.add(threads.submit(upload(proxy)));
            begun.await();
            answered.await();
            goOn.countDown();
            var told = new TreeMap<String, Integer>();
            for (Future<String> upload : uploads) told.merge(kind(upload.get()), 1, Integer::sum);

            assertThat(proxy.isAlive()).isTrue();
            assertThat(told).containsKey(REFUSED); // for want of room for bodies, or of memory for the request at all
            assertThat(told.keySet()).isSubsetOf("HTTP/1.1 200 OK", REFUSED, STILL);
            until(() -> proxy.held() == 0);
            assertThat(upload(proxy).call()).endsWith(SIZE + " bytes");
        }
    }

    private static String kind(String answer) {
        return answer.lines().findFirst().orElse("");
    }

    /// Sends all of it and reads meanwhile, as an answer may come before the end, and the connection then ends. Nobody
    /// sends the rest before all have begun and one has been answered.
    private Callable<String> upload(HoldingProxy proxy) {
        return () -> {
            try (RawConnection client = proxy.client()) {
                client.socket().setSoTimeout(0); // all others have to begin first, however long that takes
                Thread.ofVirtual().start(() -> send(client));
                return client.readAnswer();
            } catch (IOException | RuntimeException | AssertionError e) {
                return e.toString();
            } finally {
                answered.countDown();
            }
        };
    }

    private void send(RawConnection client) {
        boolean isOpen = isTaken(client, HEAD.getBytes(StandardCharsets.US_ASCII), 1) && isTaken(client, PIECE, FIRST);
        begun.countDown();
        try {
            goOn.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (isOpen) isTaken(client, PIECE, SIZE / PIECE.length - FIRST);
    }

    /// False when the connection has ended, since the request has been answered.
    private static boolean isTaken(RawConnection client, byte[] piece, int times) {
        try {
            for (int i = 0; i < times; i++) client.send(piece);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
