package gateway.policies.standard;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.config.OutageCase;
import gateway.config.PolicyModuleContract;
import gateway.json.Json;
import gateway.policy.PolicyType;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every policy of this module: what all owe, and a page whose example holds, and a test.
final class PolicyContractTest extends PolicyModuleContract {
    @Override
    protected List<OutageCase> outages(PolicyType type) {
        return StandardOutages.of(type, example(type));
    }

    @Override
    protected List<String> sections() {
        return List.of("## Answers", "## Order", "## Cost", "## Notes");
    }

    @ParameterizedTest
    @MethodSource("types")
    void has_a_page_that_names_every_field_of_its_example(PolicyType type) {
        String page = page(type).text();

        assertThat(Json.parse(example(type)).propertyNames().stream().filter(name -> !name.equals("type")))
                .allSatisfy(name -> assertThat(page).contains("`" + name + "`"));
    }
}
