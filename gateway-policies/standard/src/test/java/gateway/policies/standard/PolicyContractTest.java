package gateway.policies.standard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import gateway.config.OutageCase;
import gateway.config.PolicyContract;
import gateway.config.PolicyPage;
import gateway.json.Json;
import gateway.policy.PolicyType;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every policy of this module: what all owe, and a page whose example holds, and a test.
final class PolicyContractTest extends PolicyContract {
    private static final Path PAGES = Path.of("../../docs/policies");

    @Override
    protected List<PolicyType> types() {
        return ServiceLoader.load(PolicyType.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(type -> type.getClass().getName().startsWith("gateway.policies.standard."))
                .toList();
    }

    @Override
    protected String example(PolicyType type) {
        return PolicyPage.of(PAGES, type).example();
    }

    @Override
    protected List<OutageCase> outages(PolicyType type) {
        return StandardOutages.of(type, example(type));
    }

    @ParameterizedTest
    @MethodSource("types")
    void has_a_page_that_names_every_field_of_its_example(PolicyType type) {
        PolicyPage page = PolicyPage.of(PAGES, type);

        assertThat(Json.parse(example(type)).propertyNames().stream().filter(name -> !name.equals("type")))
                .allSatisfy(name -> assertThat(page.text()).contains("`" + name + "`"));
        page.requireSections("## Answers", "## Order", "## Cost", "## Notes");
    }

    @ParameterizedTest
    @MethodSource("types")
    void has_a_test(PolicyType type) {
        String policy = type.getClass().getEnclosingClass().getName();

        assertThatCode(() -> Class.forName(policy + "Test")).doesNotThrowAnyException();
    }
}
