package gateway.app.proxy;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.policy.Verdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Newcomers that ask all at once, and a client that an API has answered already, on one IO thread.
@Timeout(60)
final class NewcomersServedTest {
    private static final int NEWCOMERS = 300;
    private static final long WORK_NANOS = TimeUnit.MICROSECONDS.toNanos(100); // that each request makes

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final CountDownLatch kept = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);
    private final List<RawConnection> newcomers = new ArrayList<>();
    private SecureGateway gateway;

    @BeforeEach
    void start() throws IOException {
        gateway = SecureGateway.start(exchange -> {
            asked.add(exchange.path());
            if (exchange.path().equals("/keep")) keep();
            else work();
            return Verdict.proceed();
        });
    }

    private void keep() {
        kept.countDown();
        while (over.getCount() > 0) Thread.onSpinWait();
    }

    private static void work() {
        long until = System.nanoTime() + WORK_NANOS;
        while (System.nanoTime() < until) Thread.onSpinWait();
    }

    @AfterEach
    void end() throws Exception {
        for (RawConnection each : newcomers) each.close();
        gateway.close();
    }

    @Test
    void who_was_served_waits_for_few_of_them_and_all_are_served() throws Exception {
        try (RawConnection known = RawConnection.to(gateway.dataPlane().address());
                RawConnection keeping = RawConnection.to(gateway.dataPlane().address())) {
            assertThat(get(known, "/first").readAnswer()).startsWith("HTTP/1.1 200 ");
            for (int i = 0; i < NEWCOMERS; i++)
                newcomers.add(RawConnection.to(gateway.dataPlane().address()));
            until(() -> gateway.dataPlane().connections() == NEWCOMERS + 2);
            get(keeping, "/keep");
            kept.await();
            for (RawConnection each : newcomers) get(each, "/newcomer");
            get(known, "/known");
            over.countDown();

            assertThat(known.readAnswer()).startsWith("HTTP/1.1 200 ");
            assertThat(asked.indexOf("/known")).isLessThan(NEWCOMERS / 6);
            for (RawConnection each : newcomers) assertThat(each.readAnswer()).startsWith("HTTP/1.1 200 ");
        }
    }

    /// None of them comes to an end before it is served: each has its turn, however many wait.
    @Test
    void newcomers_that_open_a_connection_for_each_request_are_all_served() throws Exception {
        for (int i = 0; i < NEWCOMERS; i++) {
            try (RawConnection client = RawConnection.to(gateway.dataPlane().address())) {
                assertThat(get(client, "/").readAnswer()).startsWith("HTTP/1.1 200 ");
            }
        }
    }

    private static RawConnection get(RawConnection client, String path) throws IOException {
        return client.send("GET " + path + " HTTP/1.1\r\nHost: a.example\r\n\r\n");
    }
}
