package gateway.policies.identity;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.config.LibraryWatch;
import gateway.config.OutageCase;
import gateway.config.PolicyContract;
import gateway.config.PolicyPage;
import gateway.json.ConfigNode;
import gateway.policy.PolicyType;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The policies of this module: what all owe, and a page whose example holds.
final class IdentityPoliciesTest extends PolicyContract {
    private static final Path PAGES = Path.of("../../docs/policies");

    @Override
    protected List<PolicyType> types() {
        return ServiceLoader.load(PolicyType.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(type -> type.getClass().getName().startsWith("gateway.policies.identity."))
                .toList();
    }

    @Override
    protected String example(PolicyType type) {
        return PolicyPage.of(PAGES, type).example();
    }

    @Override
    protected List<OutageCase> outages(PolicyType type) {
        return IdentityOutages.of(type, SECRET);
    }

    @ParameterizedTest
    @MethodSource("types")
    void has_a_page(PolicyType type) {
        PolicyPage.of(PAGES, type)
                .requireSections("## Answers", "## Order", "## Cost", "## Attacks withstood", "## Notes");
    }

    /// The contract's look at libraries would see them.
    @Test
    void a_definition_with_a_key_asks_for_the_library() throws Exception {
        PolicyType jwt = LibraryWatch.again(types().stream()
                .filter(type -> type.name().equals("jwt"))
                .findFirst()
                .orElseThrow());

        jwt.read(ConfigNode.parse("{\"issuers\": [{\"keys\": {\"keys\": [{\"kty\": \"RSA\"}]}}]}"));

        assertThat(LibraryWatch.asked(jwt)).anyMatch(name -> name.startsWith("com.nimbusds."));
    }
}
