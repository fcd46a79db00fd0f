package gateway.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.server.RequestObserver;
import gateway.config.ApiDefinition;
import gateway.config.MatchDefinition;
import gateway.config.TargetDefinition;
import gateway.config.UpstreamDefinition;
import gateway.http.Outcome;
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
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class RequestMetricsTest {
    private static final Outcome OK = new Outcome(200, Outcome.Ending.COMPLETE, 1, 2);

    private final LiveSnapshot live = new LiveSnapshot();
    private final Metrics metrics = new Metrics(live);

    @AfterEach
    void close() {
        metrics.close();
    }

    @Test
    void counts_requests_by_api_and_status_class() {
        serve("orders");

        metrics.requests().ended("orders", OK);
        metrics.requests().ended("orders", OK);
        metrics.requests().ended("orders", new Outcome(503, Outcome.Ending.COMPLETE, 1, 2));

        assertThat(metrics.scrape())
                .contains("gateway_requests_total{api=\"orders\",status=\"2xx\"} 2.0")
                .contains("gateway_requests_total{api=\"orders\",status=\"5xx\"} 1.0");
    }

    @Test
    void forgets_the_counters_of_an_api_that_is_gone_and_keeps_the_others() {
        serve("orders", "stock");
        metrics.requests().ended("orders", OK);
        metrics.requests().ended("stock", OK);
        metrics.requests().ended(RequestObserver.NO_API, OK);

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
            metrics.requests().ended("api-" + i, OK);
        }

        assertThat(metrics.registry().find(MeterNames.REQUESTS).meters()).hasSizeLessThan(1_000);
    }

    @Test
    void an_api_that_comes_back_is_counted_anew() {
        serve("orders");
        metrics.requests().ended("orders", OK);
        serve();
        metrics.scrape();
        serve("orders");

        metrics.requests().ended("orders", OK);

        assertThat(metrics.scrape()).contains("gateway_requests_total{api=\"orders\",status=\"2xx\"} 1.0");
    }

    private void serve(String... ids) {
        Map<String, CompiledApi> apis = Arrays.stream(ids)
                .collect(Collectors.toMap(id -> id, id -> new CompiledApi(id, api(id), Optional.empty())));
        live.replace(new Snapshot(1, Snapshot.EMPTY.table(), apis, Snapshot.EMPTY.problems()));
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
