package gateway.policies.identity;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.config.OutageCase;
import gateway.config.PolicyContract;
import gateway.config.PolicyPage;
import gateway.json.ConfigNode;
import gateway.policies.cryptography.PublicKeys;
import gateway.policy.PolicyType;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The policies of this module: what all owe, a page whose example holds, and no library before one is used.
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

    @Test
    void the_types_are_found_and_asked_without_the_library() throws Exception {
        try (var loader = new Watching()) {
            List<Object> found = new ArrayList<>();
            for (PolicyType type : types()) {
                Object own = loader.loadClass(type.getClass().getName())
                        .getConstructor()
                        .newInstance();
                PolicyType.class.getMethod("name").invoke(own);
                PolicyType.class.getMethod("stage").invoke(own);
                PolicyType.class.getMethod("outages").invoke(own);
                found.add(own);
            }
            assertThat(found).isNotEmpty();
            assertThat(loader.asked).isEmpty();

            PolicyType jwt = found.stream()
                    .map(PolicyType.class::cast)
                    .filter(type -> type.name().equals("jwt"))
                    .findFirst()
                    .orElseThrow();
            jwt.read(ConfigNode.parse("{\"issuers\": [{\"keys\": {\"keys\": [{\"kty\": \"RSA\"}]}}]}"));
            assertThat(loader.asked).isNotEmpty(); // so this test would have seen it
        }
    }

    /// Loads this module's classes and those of keys itself, and notes which of the libraries are asked for.
    private static final class Watching extends URLClassLoader {
        final List<String> asked = new ArrayList<>();

        Watching() throws IOException {
            super(classPath(), IdentityPoliciesTest.class.getClassLoader());
        }

        private static URL[] classPath() throws IOException {
            return Stream.of(Jwt.class, PublicKeys.class)
                    .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                    .toArray(URL[]::new);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("com.nimbusds.") || name.startsWith("com.unboundid.")) asked.add(name);
            boolean ours =
                    name.startsWith("gateway.policies.identity.") || name.startsWith("gateway.policies.cryptography.");
            if (!ours) return super.loadClass(name, resolve);
            Class<?> known = findLoadedClass(name);
            return known == null ? findClass(name) : known;
        }
    }
}
