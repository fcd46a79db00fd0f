package gateway.policies.message;

import static org.assertj.core.api.Assertions.assertThatCode;

import gateway.config.OutageCase;
import gateway.config.PolicyContract;
import gateway.config.PolicyPage;
import gateway.policies.message.jose.JoseOutages;
import gateway.policy.PolicyType;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The policies of this module: what all owe, a page whose example holds, and a test.
final class MessagePoliciesTest extends PolicyContract {
    private static final Path PAGES = Path.of("../../docs/policies");

    @Override
    protected List<PolicyType> types() {
        return ServiceLoader.load(PolicyType.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(type -> type.getClass().getName().startsWith("gateway.policies.message."))
                .toList();
    }

    @Override
    protected String example(PolicyType type) {
        return PolicyPage.of(PAGES, type).example();
    }

    @Override
    protected List<OutageCase> outages(PolicyType type) {
        return type.name().equals("jose") ? JoseOutages.cases() : List.of();
    }

    /// Those that the page shows under their names.
    @Override
    protected Map<String, String> resources(PolicyType type) {
        return PolicyPage.of(PAGES, type).resources();
    }

    @ParameterizedTest
    @MethodSource("types")
    void has_a_page(PolicyType type) {
        PolicyPage.of(PAGES, type)
                .requireSections("## Answers", "## Order", "## Cost", "## Attacks withstood", "## Notes");
    }

    @ParameterizedTest
    @MethodSource("types")
    void has_a_test(PolicyType type) {
        String policy = type.getClass().getEnclosingClass().getName();

        assertThatCode(() -> Class.forName(policy + "Test")).doesNotThrowAnyException();
    }
}
