package gateway.key;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Allowance;
import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class PlanJsonTest {
    @Test
    void reads_what_a_plan_opens_and_how_often() {
        ConfigNode node = ConfigNode.parse("""
                {"id": "gold", "rateLimit": {"requests": 100, "per": "1s"}, "apis": {"orders": {"versions": ["v2"]}}}""");

        Plan plan = PlanJson.read(node);

        assertThat(node.problems()).isEmpty();
        assertThat(plan.name()).isEqualTo("gold");
        assertThat(plan.rateLimit()).contains(new Allowance(100, Duration.ofSeconds(1)));
        assertThat(plan.quota()).isEmpty();
        assertThat(plan.grant("orders")).contains(new ApiGrant(List.of(), List.of("v2")));
        assertThat(plan.grant("other")).isEmpty();
    }

    @Test
    void names_all_that_is_wrong() {
        ConfigNode node =
                ConfigNode.parse("{\"id\": \"a b\", \"quota\": {\"requests\": 0, \"per\": \"1d\"}, \"tags\": []}");

        PlanJson.read(node);

        assertThat(node.problems().stream().map(ConfigProblem::pointer))
                .containsExactlyInAnyOrder("/id", "/quota/requests", "/tags");
    }

    @Test
    void what_a_key_says_itself_comes_before_its_plan() {
        Allowance ten = new Allowance(10, Duration.ofDays(1));
        Allowance five = new Allowance(5, Duration.ofDays(1));
        ApiKey key = ApiKeyJson.read(
                ConfigNode.parse("{\"id\": \"k\", \"plan\": \"gold\", \"quota\": {\"requests\": 5, \"per\": \"1d\"}}"));
        Plan plan = new Plan("gold", "Gold", Optional.of(ten), Optional.of(ten), java.util.Map.of());

        var holder = KeyHolder.of(key, id -> Optional.of(plan)).orElseThrow();

        assertThat(holder.quota()).contains(five);
        assertThat(holder.rateLimit()).contains(ten);
        assertThat(KeyHolder.of(key, Plans.NONE)).isEmpty();
        assertThat(ApiKeyJson.write(key).get("plan").stringValue()).isEqualTo("gold");
    }
}
