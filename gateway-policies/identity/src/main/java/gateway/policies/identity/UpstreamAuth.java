package gateway.policies.identity;

import com.google.auto.service.AutoService;
import gateway.json.ConfigNode;
import gateway.policy.BodyUse;
import gateway.policy.CredentialFields;
import gateway.policy.Dependency;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.RunsOn;
import gateway.policy.Services;
import gateway.policy.Stage;
import java.util.Set;

/// Shows the upstream who asks: the gateway, by a credential of its own. Stands in the stage UPSTREAM, so that an
/// answer from a cache or a mock costs no token, and mirrors get none.
public record UpstreamAuth(UpstreamCredential credential) implements PolicySpec {
    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        return credential.ready(services);
    }

    @Override
    public Set<Dependency> dependencies() {
        return credential.dependencies();
    }

    @Override
    public BodyUse bodyUse() {
        return credential.bodyUse();
    }

    @Override
    public RunsOn runsOn() {
        return credential.runsOn();
    }

    @Override
    public CredentialFields credentials() {
        return credential.fields();
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        @Override
        public String name() {
            return "upstream-auth";
        }

        @Override
        public Stage stage() {
            return Stage.UPSTREAM;
        }

        @Override
        public UpstreamAuth read(ConfigNode node) {
            return new UpstreamAuth(UpstreamCredentialReader.read(node));
        }
    }
}
