package gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchanges;
import gateway.json.Json;
import gateway.pipeline.Pipeline;
import gateway.policy.FakeServices;
import gateway.policy.PolicyType;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Statistic;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// A request that an operator has explained leaves no trace: nothing is counted, and the next one finds all as it was.
abstract class PolicyExplainContract extends PolicyOutageContract {
    @ParameterizedTest
    @MethodSource("types")
    void having_requests_explained_counts_nothing(PolicyType type) {
        for (Exchanges request : List.of(
                Exchanges.get("/orders/7?x=1"),
                Exchanges.get("/").with("Authorization", "Bearer a.b.c"),
                Exchanges.get("/").with("Authorization", "Basic YWxpY2U6c2VjcmV0"),
                Exchanges.of("POST", "/").body("{\"a\": ").with("Content-Type", "application/json"))) {
            FakeServices services = services(type);
            Pipeline pipeline = pipeline(type, services);

            pipeline.explain(request.make());

            assertThat(counted(services)).as("%s", request.make()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void a_request_that_was_explained_before_is_counted_as_any_other(PolicyType type) {
        for (OutageCase each : outages(type)) {
            assertThat(counted(type, each, true)).as("%s", each).isEqualTo(counted(type, each, false));
        }
    }

    private Map<String, Double> counted(PolicyType type, OutageCase each, boolean explained) {
        JsonNode policy = Json.parse(each.definition());
        FakeServices services = services(type, policy);
        each.world().accept(services);
        try (var served = new ServedPolicy(reader(), definitions(type, policy, services), services)) {
            Exchanges request = each.request().make(services, served::answer);
            if (explained) served.explain(request);
            served.answer(request);
        } finally {
            services.refresher().close();
        }
        return counted(services);
    }

    /// What has been counted or timed, by meter: how often.
    private static Map<String, Double> counted(FakeServices services) {
        var counts = new TreeMap<String, Double>();
        for (Meter meter : services.meters().getMeters()) {
            if (meter instanceof Gauge) continue;
            double count = StreamSupport.stream(meter.measure().spliterator(), false)
                    .filter(each -> each.getStatistic() == Statistic.COUNT)
                    .mapToDouble(Measurement::getValue)
                    .sum();
            if (count > 0) counts.put(meter.getId().toString(), count);
        }
        return counts;
    }
}
