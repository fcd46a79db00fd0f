package gateway.app.steering;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import gateway.config.HealthCheckDefinition;
import gateway.config.TargetDefinition;
import gateway.net.AllowedNetworks;
import gateway.wire.client.FakeNames;
import gateway.wire.client.Resolver;
import gateway.wire.client.Target;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class HealthChecksTest {
    private static final HealthCheckDefinition HOW = new HealthCheckDefinition(
            HealthCheckDefinition.Type.HTTP, "/", Duration.ofMillis(10), Duration.ofSeconds(40), 2, 2, Set.of());

    private final Semaphore asked = new Semaphore(0);
    private final Semaphore askedOther = new Semaphore(0);
    private final TargetHealth health = new TargetHealth(HOW, new TargetState(new Ticks()));
    private final HealthChecks checks =
            new HealthChecks(new Resolver(AllowedNetworks.USUAL, new FakeNames(), new Ticks()), new Dice(7));
    private volatile int status = 200;
    private HttpServer server;
    private URI url;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            asked.release();
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.createContext("/other", exchange -> {
            askedOther.release();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        checks.watch(health, HOW, UpstreamTerms.target(new TargetDefinition(url, 1)));
    }

    @AfterEach
    void stop() {
        checks.close();
        server.stop(0);
    }

    /// Answers `next` until three checks have got it: who asks for the fourth time has noted the third.
    private void answerChecks(int next) throws InterruptedException {
        status = next;
        asked.drainPermits();
        assertThat(asked.tryAcquire(4, 50, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a_target_goes_out_and_comes_back_as_its_checks_say() throws InterruptedException {
        answerChecks(204);
        assertThat(health.isHealthy()).isTrue();

        answerChecks(500);
        assertThat(health.isHealthy()).isFalse();

        answerChecks(200);
        assertThat(health.isHealthy()).isTrue();
    }

    @Test
    void nobody_asks_once_nobody_wants_to_know() throws InterruptedException {
        Target target = UpstreamTerms.target(new TargetDefinition(url, 1));
        checks.watch(health, HOW, target);
        checks.leave(health);
        answerChecks(200);
        assertThat(checks.count()).isEqualTo(1);

        checks.leave(health);
        asked.drainPermits();
        var how = new HealthCheckDefinition(HOW.type(), "/other", HOW.interval(), HOW.timeout(), 2, 2, Set.of());
        checks.watch(new TargetHealth(how, new TargetState(new Ticks())), how, target);
        assertThat(askedOther.tryAcquire(20, 50, TimeUnit.SECONDS)).isTrue();

        assertThat(asked.availablePermits()).isLessThanOrEqualTo(1); // one may have been on its way
        assertThat(checks.count()).isEqualTo(1);
    }
}
