package gateway.app.steering;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import gateway.app.steering.Endpoint.Standing;
import gateway.config.ApiDefinition;
import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.net.AllowedNetworks;
import gateway.service.KeptParts;
import gateway.service.Upstream;
import gateway.wire.client.FakeNames;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What upstreams know of their targets, and what a reload leaves of it.
@Timeout(60)
final class UpstreamsTest {
    private static final int[] NOWHERE = {};
    private static final String TARGETS =
            "\"targets\": [{\"url\": \"http://10.0.0.1\"}, {\"url\": \"http://10.0.0.2\"}, {\"url\": \"http://10.0.0.3\"}]";

    private final FakeNames names = new FakeNames();
    private final Ticks ticks = new Ticks();
    private final Upstreams upstreams = new Upstreams(AllowedNetworks.USUAL, new KeptParts(), names, ticks);
    private final List<Upstream> held = new ArrayList<>(); // as a snapshot holds them

    private Upstream made(String api, String upstream) {
        ApiDefinition definition = new DefinitionReader(PolicyRegistry.load())
                .read("{\"id\": \"" + api + "\", \"match\": {\"path\": \"/\"}, \"upstream\": {" + upstream + "}}");
        Upstream made = upstreams.upstreamFor(definition.upstream());
        held.add(made);
        return made;
    }

    private UpstreamReadings readings(String api, String upstream) {
        return UpstreamReadings.of(made(api, upstream)).getFirst();
    }

    private static Group group(UpstreamReadings readings) {
        return readings.group().orElseThrow();
    }

    private static void open(CircuitBreaker breaker) {
        while (breaker.phase() == CircuitBreaker.Phase.CLOSED) breaker.ended(breaker.enter(), true, 1);
    }

    @Test
    void an_upstream_that_is_told_nothing_is_not_watched() {
        assertThat(made("orders", TARGETS)).isInstanceOf(HttpUpstream.class);
        assertThat(readings("orders", TARGETS).watched()).isFalse();
    }

    @Test
    void an_open_breaker_outlasts_a_reload_that_changes_something_else() {
        open(readings("orders", TARGETS + ", \"circuitBreaker\": {}").breaker().orElseThrow());

        UpstreamReadings after = readings("orders", TARGETS + ", \"circuitBreaker\": {}, \"timeout\": \"9s\"");

        assertThat(after.breaker().orElseThrow().phase()).isEqualTo(CircuitBreaker.Phase.OPEN);
    }

    @Test
    void a_changed_breaker_begins_anew_and_so_does_that_of_another_api() {
        open(readings("orders", TARGETS + ", \"circuitBreaker\": {}").breaker().orElseThrow());

        assertThat(readings("orders", TARGETS + ", \"circuitBreaker\": {\"probes\": 1}")
                        .breaker()
                        .orElseThrow()
                        .phase())
                .isEqualTo(CircuitBreaker.Phase.CLOSED);
        assertThat(readings("sales", TARGETS + ", \"circuitBreaker\": {}")
                        .breaker()
                        .orElseThrow()
                        .phase())
                .isEqualTo(CircuitBreaker.Phase.CLOSED);
    }

    @Test
    void an_ejected_target_stays_out_when_weights_change() {
        String ejection = ", \"ejection\": {\"failures\": 1, \"time\": \"1h\"}";
        group(readings("orders", TARGETS + ejection)).ended(1, false, 0);

        Group after = group(readings("orders", TARGETS.replaceFirst("1\"}", "1\", \"weight\": 5}") + ejection));

        assertThat(after.endpoints().getFirst().weight()).isEqualTo(5);
        assertThat(after.standing(1)).isEqualTo(Standing.EJECTED);
        assertThat(after.standing(0)).isEqualTo(Standing.USABLE);
        assertThat(after.endpoints().get(1).state().failures()).isEqualTo(1);
    }

    @Test
    void targets_in_turn_go_on_where_they_were() {
        Group before = group(readings("orders", TARGETS + ", \"retry\": {}"));
        assertThat(before.choose(0, NOWHERE, 0)).isEqualTo(0);

        Group after = group(readings("orders", TARGETS + ", \"retry\": {\"attempts\": 3}, \"timeout\": \"9s\""));

        assertThat(after.choose(0, NOWHERE, 0)).isEqualTo(1);
    }

    @Test
    void unwatched_targets_in_turn_go_on_where_they_were_too() {
        HttpUpstream before = (HttpUpstream) made("orders", TARGETS);
        HttpUpstream after = (HttpUpstream) made("orders", TARGETS + ", \"timeout\": \"9s\"");
        HttpUpstream other = (HttpUpstream) made("sales", TARGETS);

        assertThat(after.rotation()).isSameAs(before.rotation());
        assertThat(other.rotation()).isNotSameAs(before.rotation());
    }

    @Test
    void branches_are_told_by_their_own_names_and_know_their_own_targets() {
        String split = """
            , "retry": {}, "split": {"branches": [
                {"name": "canary", "percent": 5, "targets": [{"url": "http://10.0.1.1"}]}]}""";

        List<UpstreamReadings> each = UpstreamReadings.of(made("orders", TARGETS + split));

        assertThat(each.stream().map(UpstreamReadings::name)).containsExactly("orders#canary", "orders");
        assertThat(each.stream().map(readings -> group(readings).endpoints().size()))
                .containsExactly(1, 3);
        assertThat(each.getFirst().retries()).isNotEqualTo(each.getLast().retries());
    }

    @Test
    void each_address_of_a_name_is_a_target() {
        names.set("orders.internal", "10.0.0.1", "10.0.0.2");
        var upstream = (SteeredUpstream)
                made("orders", "\"targets\": [{\"url\": \"http://orders.internal:81\"}], \"retry\": {}");
        assertThat(UpstreamReadings.of(upstream).getFirst().group()).isEmpty();

        Group group = upstream.placement().group();

        assertThat(group.endpoints().stream().map(endpoint -> endpoint.name()))
                .containsExactly("http://10.0.0.1:81", "http://10.0.0.2:81");
    }

    @Test
    void a_name_that_nobody_answers_for_keeps_its_targets_while_others_change() {
        names.set("a.internal", "10.0.0.1");
        names.set("b.internal", "10.0.0.2");
        var upstream = (SteeredUpstream) made(
                "orders",
                "\"targets\": [{\"url\": \"http://a.internal\"}, {\"url\": \"http://b.internal\"}], \"retry\": {}");
        assertThat(hosts(upstream)).containsExactly("10.0.0.1", "10.0.0.2");

        names.silence("a.internal");
        names.set("b.internal", "10.0.0.3");
        ticks.pass(Duration.ofHours(1));

        until(() -> hosts(upstream).contains("10.0.0.3"));
        assertThat(hosts(upstream)).containsExactly("10.0.0.1", "10.0.0.3");
    }

    private static List<String> hosts(SteeredUpstream upstream) {
        return upstream.placement().targets().stream()
                .map(target -> target.address().host())
                .toList();
    }

    @Test
    void checks_end_with_the_last_upstream_that_wants_them() {
        String checked = TARGETS + ", \"healthCheck\": {\"type\": \"tcp\", \"interval\": \"30m\"}";
        try (upstreams) {
            Upstream first = made("orders", checked);
            first.served();
            assertThat(upstreams.checked()).isEqualTo(3);

            Upstream alike = made("orders", checked + ", \"timeout\": \"9s\"");
            alike.served();
            first.retired();
            assertThat(upstreams.checked()).isEqualTo(3);

            Upstream fewer = made("orders", checked.replaceFirst("\\{\"url\": \"http://10.0.0.1\"}, ", ""));
            fewer.served();
            alike.retired();
            assertThat(upstreams.checked()).isEqualTo(2);

            Upstream others = made("orders", checked.replace("30m", "1h"));
            others.served();
            assertThat(upstreams.checked()).isEqualTo(5);
            fewer.retired();
            assertThat(upstreams.checked()).isEqualTo(3);

            others.retired();
            assertThat(upstreams.checked()).isZero();
        }
    }

    @Test
    void checks_follow_the_addresses_of_a_name() {
        names.set("orders.internal", "127.0.0.1", "127.0.0.2");
        var upstream = (SteeredUpstream) made(
                "orders",
                "\"targets\": [{\"url\": \"http://orders.internal:1\"}], \"healthCheck\": {\"interval\": \"1h\"}");
        try (upstreams) {
            upstream.served();
            until(() -> upstreams.checked() >= 2);

            names.set("orders.internal", "127.0.0.3");
            ticks.pass(Duration.ofHours(1));
            until(() -> hosts(upstream).equals(List.of("127.0.0.3")));

            until(() -> upstreams.checked() <= 1);
            upstream.retired();
            assertThat(upstreams.checked()).isZero();
        }
    }

    @Test
    void making_an_upstream_checks_nothing_until_it_is_served() throws IOException, InterruptedException {
        var checked = new Semaphore(0);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/health", exchange -> {
            checked.release();
            exchange.sendResponseHeaders(500, -1);
            exchange.close();
        });
        server.start();
        try (upstreams) {
            String upstream = "\"targets\": [{\"url\": \"http://127.0.0.1:"
                    + server.getAddress().getPort()
                    + "\"}], \"healthCheck\": {\"path\": \"/health\", \"interval\": \"100ms\"}";
            made("rehearsed", upstream);
            Upstream served = made("orders", upstream);

            assertThat(group(UpstreamReadings.of(served).getFirst())
                            .endpoints()
                            .getFirst()
                            .health()
                            .orElseThrow()
                            .checks())
                    .isZero();
            assertThat(checked.availablePermits()).isZero();
            served.served();
            served.served();

            assertThat(checked.tryAcquire(2, 50, TimeUnit.SECONDS)).isTrue();
            Group group = group(UpstreamReadings.of(served).getFirst());
            assertThat(group.standing(0)).isEqualTo(Standing.UNHEALTHY);
            assertThat(group(UpstreamReadings.of(held.getFirst()).getFirst()).standing(0))
                    .isEqualTo(Standing.USABLE);
        } finally {
            server.stop(0);
        }
    }

    @Test
    void a_named_target_is_checked_before_the_first_request() throws IOException, InterruptedException {
        var checked = new Semaphore(0);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            checked.release();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        names.set("orders.internal", "127.0.0.1");
        try (upstreams) {
            made(
                            "orders",
                            "\"targets\": [{\"url\": \"http://orders.internal:"
                                    + server.getAddress().getPort() + "\"}], \"healthCheck\": {}")
                    .served();

            assertThat(checked.tryAcquire(50, TimeUnit.SECONDS)).isTrue();
        } finally {
            server.stop(0);
        }
    }
}
