package gateway.app.proxy;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.policy.Verdict;
import gateway.wire.io.IoThreadWatch;
import gateway.wire.io.RequestThreadMode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.Xnio;
import org.xnio.XnioWorker;

final class IoThreadWatchTest {
    @Test
    void a_thread_that_does_nothing_else_is_named_until_it_goes_on() throws Exception {
        XnioWorker worker = Xnio.getInstance().createWorker(OptionMap.create(Options.WORKER_IO_THREADS, 3));
        try {
            var watch = new IoThreadWatch(worker, Duration.ofMillis(300));
            var patient = new IoThreadWatch(worker, Duration.ofMinutes(1));
            assertThat(patient.silent()).isEmpty();

            var blocked = new CountDownLatch(1);
            worker.getIoThread(1).execute(() -> await(blocked));
            List<String> blockedOne = List.of(worker.getIoThread(1).getName());
            until(() -> watch.silent().equals(blockedOne)); // answers from before hold for a moment

            blocked.countDown();
            assertThat(patient.silent()).isEmpty();
            until(() -> watch.silent().isEmpty());
        } finally {
            worker.shutdownNow();
        }
    }

    @Test
    void a_policy_that_runs_on_and_on_is_noticed() throws IOException {
        var entered = new CountDownLatch(1);
        var enough = new CountDownLatch(1);
        Proxy proxy = Proxy.in(RequestThreadMode.IO)
                .ioThreads(1)
                .policies(_ -> {
                    entered.countDown();
                    while (enough.getCount() > 0) Thread.onSpinWait();
                    return Verdict.stop(gateway.http.Response.of(200, "text/plain", new byte[0]));
                })
                .start();
        try (proxy) {
            assertThat(proxy.dataPlane().silentIoThreads()).isEmpty();
            RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            await(entered);
            until(() -> !proxy.dataPlane().silentIoThreads().isEmpty());

            enough.countDown();
            assertThat(client.readHead()).startsWith("HTTP/1.1 200 ");
            until(() -> proxy.dataPlane().silentIoThreads().isEmpty());
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
