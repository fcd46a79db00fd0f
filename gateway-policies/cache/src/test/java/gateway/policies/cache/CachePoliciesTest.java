package gateway.policies.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import gateway.config.OutageCase;
import gateway.config.PolicyContract;
import gateway.http.Exchanges;
import gateway.policy.PolicyType;
import gateway.policy.TroubledServices.Port;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The policies of this module: what all owe, a page whose example holds, and a test.
final class CachePoliciesTest extends PolicyContract {
    private static final Path PAGES = Path.of("../../docs/policies");
    private static final Pattern EXAMPLE = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL);

    @Override
    protected List<PolicyType> types() {
        return ServiceLoader.load(PolicyType.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(type -> type.getClass().getName().startsWith("gateway.policies.cache."))
                .toList();
    }

    @Override
    protected String example(PolicyType type) {
        var match = EXAMPLE.matcher(page(type));
        assertThat(match.find()).as("an example in " + type.name() + ".md").isTrue();
        return match.group(1);
    }

    @Override
    protected List<OutageCase> outages(PolicyType type) {
        String shared = "{\"type\": \"cache\", \"shared\": \"store\"}";
        return List.of(OutageCase.of(Port.ENTRIES, shared, _ -> {}, (_, _) -> Exchanges.get("/"))
                .goingOn());
    }

    @ParameterizedTest
    @MethodSource("types")
    void has_a_page(PolicyType type) {
        assertThat(page(type))
                .startsWith("# " + type.name() + "\n")
                .contains("## Answers", "## Order", "## Cost", "## Attacks withstood", "## Notes");
    }

    @ParameterizedTest
    @MethodSource("types")
    void has_a_test(PolicyType type) {
        String policy = type.getClass().getEnclosingClass().getName();

        assertThatCode(() -> Class.forName(policy + "Test")).doesNotThrowAnyException();
    }

    private static String page(PolicyType type) {
        try {
            return Files.readString(PAGES.resolve(type.name() + ".md"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
