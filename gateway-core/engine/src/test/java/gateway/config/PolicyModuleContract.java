package gateway.config;

import static org.assertj.core.api.Assertions.assertThatCode;

import gateway.policy.PolicyType;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The policies of one of the project's modules, those of the test's package and below: what all owe, a page whose
/// example holds, and a test.
public abstract class PolicyModuleContract extends PolicyContract {
    private static final Path PAGES = Path.of("../../docs/policies");

    @Override
    protected final List<PolicyType> types() {
        String module = getClass().getPackageName() + '.';
        return ServiceLoader.load(PolicyType.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(type -> type.getClass().getName().startsWith(module))
                .toList();
    }

    @Override
    protected final String example(PolicyType type) {
        return page(type).example();
    }

    protected static PolicyPage page(PolicyType type) {
        return PolicyPage.of(PAGES, type);
    }

    /// Those of each page.
    protected List<String> sections() {
        return List.of("## Answers", "## Order", "## Cost", "## Attacks withstood", "## Notes");
    }

    @ParameterizedTest
    @MethodSource("types")
    void has_a_page(PolicyType type) {
        page(type).requireSections(sections());
    }

    @ParameterizedTest
    @MethodSource("types")
    void has_a_test(PolicyType type) {
        String policy = type.getClass().getEnclosingClass().getName();

        assertThatCode(() -> Class.forName(policy + "Test")).doesNotThrowAnyException();
    }
}
