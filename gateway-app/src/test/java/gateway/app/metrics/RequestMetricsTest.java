package gateway.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.config.ApiDefinition;
import gateway.config.MatchDefinition;
import gateway.config.TargetDefinition;
import gateway.config.UpstreamDefinition;
import gateway.http.Outcome;
import gateway.http.UpstreamException;
import gateway.service.ApiMeters;
import gateway.service.StepMeter;
import gateway.snapshot.CompiledApi;
import gateway.snapshot.LiveSnapshot;
import gateway.snapshot.Snapshot;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class RequestMetricsTest {
    private static final Outcome OK = new Outcome(200, Outcome.Ending.COMPLETE, 1, 2);

    private final LiveSnapshot live = new LiveSnapshot();
    private final Metrics metrics =
            Metrics.start(MetricsSettings.DEFAULT, () -> live.current().apis().keySet(), "test");

    @AfterEach
    void close() {
        metrics.close();
    }

    @Test
    void counts_requests_by_api_and_status_class() {
        serve("orders");

        metrics.of("orders").ended(OK);
        metrics.of("orders").ended(OK);
        metrics.of("orders").ended(new Outcome(503, Outcome.Ending.COMPLETE, 1, 2));

        assertThat(metrics.scrape())
                .contains("gateway_requests_total{api=\"orders\",status=\"2xx\"} 2.0")
                .contains("gateway_requests_total{api=\"orders\",status=\"5xx\"} 1.0");
    }

    @Test
    void counts_refusals_by_reason_and_past_the_bound_together() {
        serve("orders");
        ApiMeters orders = metrics.of("orders");

        orders.refused("rate-limited");
        orders.refused("rate-limited");
        for (int i = 0; i < 100; i++) orders.refused("of-a-plugin-" + i);

        String scrape = metrics.scrape();
        assertThat(scrape)
                .contains("gateway_refusals_total{api=\"orders\",reason=\"rate-limited\"} 2.0")
                .contains("gateway_refusals_total{api=\"orders\",reason=\"of-a-plugin-62\"} 1.0")
                .contains("gateway_refusals_total{api=\"orders\",reason=\"other\"} 37.0");
        serve();
        assertThat(metrics.scrape()).doesNotContain("rate-limited");
    }

    @Test
    void counts_calls_of_grpc_by_what_their_status_says() {
        serve("orders");

        for (int status : new int[] {0, 7, 14, 14}) {
            metrics.of("orders").ended(new Outcome(200, Outcome.Ending.COMPLETE, 1, 2, status));
        }

        assertThat(metrics.scrape())
                .contains("gateway_requests_total{api=\"orders\",status=\"2xx\"} 1.0")
                .contains("gateway_requests_total{api=\"orders\",status=\"4xx\"} 1.0")
                .contains("gateway_requests_total{api=\"orders\",status=\"5xx\"} 2.0");
    }

    @Test
    void forgets_the_counters_of_an_api_that_is_gone_and_keeps_the_others() {
        serve("orders", "stock");
        metrics.of("orders").ended(OK);
        metrics.of("stock").ended(OK);
        metrics.unrouted().ended(OK);

        serve("stock");

        assertThat(metrics.scrape())
                .doesNotContain("api=\"orders\"")
                .contains("gateway_requests_total{api=\"stock\",status=\"2xx\"} 1.0")
                .contains("gateway_requests_total{api=\"none\",status=\"2xx\"} 1.0");
    }

    @Test
    void does_not_grow_without_end_when_apis_come_and_go_and_nobody_reads() {
        for (int i = 0; i < 10_000; i++) {
            serve("api-" + i);
            metrics.of("api-" + i).ended(OK);
        }

        assertThat(metrics.registry().find(MeterNames.REQUESTS).meters()).hasSizeLessThan(600);
    }

    @Test
    void an_api_that_comes_back_is_counted_anew() {
        serve("orders");
        metrics.of("orders").ended(OK);
        serve();
        metrics.scrape();
        serve("orders");

        metrics.of("orders").ended(OK);

        assertThat(metrics.scrape()).contains("gateway_requests_total{api=\"orders\",status=\"2xx\"} 1.0");
    }

    @Test
    void counts_apis_past_the_bound_together_and_gives_a_place_that_is_free_again_to_the_next() {
        var few = new MetricsSettings("", 1, false, Duration.ofMinutes(1), Optional.empty(), Optional.empty());
        try (var bounded = Metrics.start(few, () -> live.current().apis().keySet(), "test")) {
            serve("orders", "stock", "users");
            bounded.of("orders").ended(OK);
            bounded.of("stock").ended(OK);
            bounded.of("users").ended(OK);

            assertThat(bounded.scrape())
                    .contains("gateway_requests_total{api=\"orders\",status=\"2xx\"} 1.0")
                    .contains("gateway_requests_total{api=\"other\",status=\"2xx\"} 2.0")
                    .doesNotContain("api=\"stock\"");

            serve("stock", "users");
            bounded.of("users").ended(OK);

            assertThat(bounded.scrape())
                    .contains("gateway_requests_total{api=\"users\",status=\"2xx\"} 1.0")
                    .contains("gateway_requests_total{api=\"other\",status=\"2xx\"} 2.0")
                    .doesNotContain("api=\"orders\"");
        }
    }

    @Test
    void meters_that_a_pipeline_still_holds_count_again_after_their_api_was_away() {
        ApiMeters held = metrics.of("orders");
        StepMeter step = held.step("key-auth", false);
        serve("orders");
        held.ended(OK);
        step.proceeded();
        serve();
        metrics.scrape();
        serve("orders");

        held.ended(OK);
        step.proceeded();

        assertThat(metrics.scrape())
                .contains("gateway_requests_total{api=\"orders\",status=\"2xx\"} 1.0")
                .contains("gateway_policy_verdicts_total{api=\"orders\",policy=\"key-auth\",verdict=\"proceed\"} 1.0");
    }

    /// The first requests of an API, whose meters do not exist yet, come on many threads at once.
    @Test
    void counts_every_one_of_the_first_requests_of_an_api() throws Exception {
        for (int tries = 0; tries < 50; tries++) {
            String api = "api-" + tries;
            serve(api);
            ApiMeters meters = metrics.of(api);
            StepMeter step = meters.step("key-auth", false);
            var together = new CyclicBarrier(8);
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < 8; i++) {
                    var _ = threads.submit(() -> {
                        together.await();
                        step.proceeded();
                        meters.ended(OK);
                        return null;
                    });
                }
            }

            assertThat(metrics.scrape())
                    .contains("gateway_requests_total{api=\"" + api + "\",status=\"2xx\"} 8.0")
                    .contains("{api=\"" + api + "\",policy=\"key-auth\",verdict=\"proceed\"} 8.0");
        }
    }

    @Test
    void splits_the_time_of_a_request_into_the_upstream_and_the_gateway() {
        serve("orders");

        metrics.of("orders").ended(new Outcome(200, Outcome.Ending.COMPLETE, 20_000_000, 20_200_000));
        metrics.of("orders").ended(new Outcome(401, Outcome.Ending.COMPLETE, 0, 40_000));

        assertThat(metrics.scrape())
                .contains("gateway_request_duration_seconds_bucket{api=\"orders\",le=\"0.001\"} 1")
                .contains("gateway_request_duration_seconds_bucket{api=\"orders\",le=\"0.025\"} 2")
                .contains("gateway_upstream_duration_seconds_count{api=\"orders\"} 1")
                .contains("gateway_own_duration_seconds_bucket{api=\"orders\",le=\"5.0E-5\"} 1")
                .contains("gateway_own_duration_seconds_bucket{api=\"orders\",le=\"2.5E-4\"} 2");
    }

    @Test
    void counts_what_policies_decide_and_times_those_that_call_out() {
        serve("orders");
        StepMeter limit = metrics.of("orders").step("rate-limit", true);

        limit.took(3_000_000);
        limit.proceeded();
        limit.took(3_000_000);
        limit.stopped();
        limit.missed();
        limit.stopped();

        String labels = "{api=\"orders\",policy=\"rate-limit\"";
        assertThat(metrics.scrape())
                .contains("gateway_policy_verdicts_total" + labels + ",verdict=\"proceed\"} 1.0")
                .contains("gateway_policy_verdicts_total" + labels + ",verdict=\"stop\"} 2.0")
                .contains("gateway_policy_outages_total" + labels + "} 1.0")
                .contains("gateway_policy_duration_seconds_bucket" + labels + ",le=\"0.005\"} 2");
    }

    @Test
    void tells_why_the_upstream_did_not_answer_and_whether_the_answer_left_whole() {
        serve("orders");
        ApiMeters orders = metrics.of("orders");

        orders.unanswered(UpstreamException.Kind.TIMEOUT);
        orders.ended(new Outcome(200, Outcome.Ending.CLIENT_GONE, 1, 2));

        assertThat(metrics.scrape())
                .contains("gateway_upstream_failures_total{api=\"orders\",kind=\"timeout\"} 1.0")
                .contains("gateway_requests_broken_total{api=\"orders\",ending=\"client-gone\"} 1.0");
    }

    private void serve(String... ids) {
        Map<String, CompiledApi> apis = Arrays.stream(ids)
                .collect(Collectors.toMap(id -> id, id -> new CompiledApi(id, api(id), Optional.empty())));
        live.replace(new Snapshot(
                1, Snapshot.EMPTY.table(), apis, Snapshot.EMPTY.sets(), Map.of(), Snapshot.EMPTY.problems()));
    }

    private static ApiDefinition api(String id) {
        var target = new TargetDefinition(URI.create("http://127.0.0.1:1"), 1);
        var patience = Duration.ofSeconds(1);
        var upstream = new UpstreamDefinition(
                List.of(target), UpstreamDefinition.Balance.ROUND_ROBIN, patience, patience, patience, false);
        return new ApiDefinition(
                id,
                id,
                true,
                new MatchDefinition(List.of(), "/" + id, Set.of()),
                false,
                false,
                1,
                upstream,
                List.of(),
                false);
    }
}
