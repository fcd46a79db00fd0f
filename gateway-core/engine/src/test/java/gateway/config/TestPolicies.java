package gateway.config;

import gateway.http.Response;
import gateway.http.Secret;
import gateway.json.ConfigNode;
import gateway.policy.CompiledPolicy;
import gateway.policy.Dependency;
import gateway.policy.OnOutage;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.RunsOn;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import gateway.service.SecretReference;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/// Policy types for tests of what is built on policies: `stop` (guard; answers `status`), `pass`
/// (transform), `costly` (transform; adds `cost` to that of the definition), `preflight` (guard; claims to
/// answer preflights), `anywhere` (transform, guard or upstream), `hidden` (transform; refers to a secret
/// in `value`), `open` (transform; opens messages for others) and `ask` (authorize; depends on `https://idp.example`
/// and may go on without).
public final class TestPolicies {
    private TestPolicies() {}

    public static PolicyRegistry registry() {
        return PolicyRegistry.of(types());
    }

    static List<PolicyType> types() {
        return List.of(
                type("stop", Stage.GUARD, TestPolicies::stop),
                type("pass", Stage.TRANSFORM, node -> spec(exchange -> Verdict.proceed())),
                type("costly", Stage.TRANSFORM, TestPolicies::costly),
                type("hidden", Stage.TRANSFORM, TestPolicies::hidden),
                type("preflight", Stage.GUARD, node -> new Preflight()),
                type("open", Stage.TRANSFORM, node -> new Opening()),
                new Anywhere(),
                new Asking());
    }

    public static PolicySpec spec(Policy policy) {
        return spec(policy, RunsOn.REQUEST_THREAD);
    }

    public static PolicySpec spec(CompiledPolicy policy, RunsOn runsOn) {
        return new Declared(policy, runsOn);
    }

    private static PolicySpec stop(ConfigNode node) {
        int status = (int) node.field("status").integer(100, 599);
        return spec(exchange -> Verdict.stop(Response.of(status)));
    }

    private static PolicySpec hidden(ConfigNode node) {
        SecretReference reference = SecretReader.read(node.field("value"));
        return (_, services) -> {
            Secret secret = services.secret(reference);
            return (Policy) _ -> Verdict.stop(Response.of(secret.reveal().isEmpty() ? 500 : 200));
        };
    }

    private static PolicySpec costly(ConfigNode node) {
        node.addCost(node.field("cost").integer(0, 1_000));
        return spec(exchange -> Verdict.proceed());
    }

    private static PolicyType type(String name, Stage stage, Function<ConfigNode, PolicySpec> read) {
        return new PolicyType() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Stage stage() {
                return stage;
            }

            @Override
            public PolicySpec read(ConfigNode node) {
                return read.apply(node);
            }
        };
    }

    private record Declared(CompiledPolicy policy, RunsOn runsOn) implements PolicySpec {
        @Override
        public CompiledPolicy compile(PolicyPlace placement, Services services) {
            return policy;
        }
    }

    private record Opening() implements PolicySpec {
        @Override
        public CompiledPolicy compile(PolicyPlace placement, Services services) {
            return (Policy) _ -> Verdict.proceed();
        }

        @Override
        public boolean opensMessages() {
            return true;
        }
    }

    /// One that lets pass, and may stand in several stages.
    private static final class Anywhere implements PolicyType {
        @Override
        public String name() {
            return "anywhere";
        }

        @Override
        public Stage stage() {
            return Stage.TRANSFORM;
        }

        @Override
        public List<Stage> stages() {
            return List.of(Stage.TRANSFORM, Stage.GUARD, Stage.UPSTREAM);
        }

        @Override
        public PolicySpec read(ConfigNode node) {
            return spec(exchange -> Verdict.proceed());
        }
    }

    /// One that calls a server, and may let pass without.
    private static final class Asking implements PolicyType {
        @Override
        public String name() {
            return "ask";
        }

        @Override
        public Stage stage() {
            return Stage.AUTHORIZE;
        }

        @Override
        public Set<OnOutage> outages() {
            return Set.of(OnOutage.ALLOW, OnOutage.DENY);
        }

        @Override
        public PolicySpec read(ConfigNode node) {
            return new Asked();
        }
    }

    private record Asked() implements PolicySpec {
        @Override
        public CompiledPolicy compile(PolicyPlace placement, Services services) {
            return (Policy) exchange -> Verdict.proceed();
        }

        @Override
        public Set<Dependency> dependencies() {
            return Set.of(new Dependency.Server("https://idp.example"));
        }
    }

    private record Preflight() implements PolicySpec {
        @Override
        public CompiledPolicy compile(PolicyPlace placement, Services services) {
            return (Policy) exchange -> Verdict.proceed();
        }

        @Override
        public boolean answersPreflight() {
            return true;
        }
    }
}
