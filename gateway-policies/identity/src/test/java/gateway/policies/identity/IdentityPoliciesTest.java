package gateway.policies.identity;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.config.LibraryWatch;
import gateway.config.OutageCase;
import gateway.config.PolicyModuleContract;
import gateway.json.ConfigNode;
import gateway.policy.PolicyType;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The policies of this module: what all owe, and a page whose example holds.
final class IdentityPoliciesTest extends PolicyModuleContract {
    @Override
    protected List<OutageCase> outages(PolicyType type) {
        return IdentityOutages.of(type, SECRET);
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
