package example;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.config.PolicyContract;
import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.policy.FakeServices;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicyType;
import gateway.policy.Verdict;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class RequireTenantTest extends PolicyContract {
    @Override
    protected List<PolicyType> types() {
        return List.of(new RequireTenant.Type());
    }

    @Override
    protected String example(PolicyType type) {
        return "{\"type\": \"require-tenant\", \"tenants\": [\"north\", \"south\"]}";
    }

    @Test
    void only_its_tenants_pass() {
        var policy = new RequireTenant(Set.of("north")).compile(new PolicyPlace("orders", "p"), new FakeServices());

        assertThat(policy.apply(request("north"))).isInstanceOf(Verdict.Proceed.class);
        assertThat(policy.apply(request("west"))).isInstanceOf(Verdict.Stop.class);
        assertThat(policy.apply(Exchanges.get("/").make())).isInstanceOf(Verdict.Stop.class);
    }

    private static Exchange request(String tenant) {
        return Exchanges.get("/").with("X-Tenant", tenant).make();
    }
}
