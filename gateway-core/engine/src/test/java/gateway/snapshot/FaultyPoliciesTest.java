package gateway.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.json.ConfigNode;
import gateway.pipeline.PipelineRun;
import gateway.policy.Condition;
import gateway.policy.ConditionType;
import gateway.policy.FakeServices;
import gateway.policy.Policy;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import gateway.route.Route;
import gateway.route.RouteMatch;
import gateway.service.DefinitionSet;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Policies of users whose code fails while a definition that names them is read or made ready: a problem of that
/// definition and of no other.
final class FaultyPoliciesTest {
    private static final PolicySpec SOUND = (_, _) -> (Policy) _ -> Verdict.proceed();

    /// What a bug does, and what a jar does that lacks a library.
    @SuppressWarnings("ImmutableEnumChecker") // none of these holds anything
    enum Failure {
        EXCEPTION(() -> {
            throw new IllegalStateException("as the test wants it");
        }),
        MISSING_CLASS(() -> {
            throw new NoClassDefFoundError("lost/Library");
        }),
        ASSERTION(() -> {
            throw new AssertionError("as the test wants it");
        }),
        RECURSION(() -> {
            throw new StackOverflowError();
        }),
        NOTHING(() -> null);

        private final Supplier<@Nullable Object> happening;

        Failure(Supplier<@Nullable Object> happening) {
            this.happening = happening;
        }

        /// The answer of one that breaks its word.
        @SuppressWarnings({"unchecked", "NullAway", "TypeParameterUnusedInFormals"})
        <T> T happens() {
            return (T) happening.get();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatever_is_thrown_is_a_problem_of_the_entry_and_the_rest_serves(Failure failure) {
        for (Method each : PolicySpec.class.getMethods()) {
            Snapshot snapshot = compiled(new Faulty(_ -> failing(each, failure)), _ -> Condition.ALWAYS);

            assertLeftOut(each.getName(), snapshot, "/apis/bad/policies/0");
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_policy_that_cannot_be_read_is_a_problem_of_the_entry(Failure failure) {
        Snapshot snapshot = compiled(new Faulty(_ -> failure.happens()), _ -> Condition.ALWAYS);

        assertLeftOut("read", snapshot, "/apis/bad/policies/0");
    }

    @ParameterizedTest
    @EnumSource
    void a_condition_that_cannot_be_read_is_a_problem_of_its_field(Failure failure) {
        Snapshot snapshot = compiled(new Faulty(_ -> SOUND), _ -> failure.happens());

        assertLeftOut("condition", snapshot, "/apis/bad/policies/0/when/moon");
    }

    @Test
    void one_that_keeps_its_word_serves() {
        Snapshot snapshot = compiled(new Faulty(_ -> SOUND), _ -> Condition.ALWAYS);

        assertThat(snapshot.problems()).isEmpty();
        assertThat(status(snapshot, "/bad")).isEqualTo(200);
    }

    private static void assertLeftOut(String fault, Snapshot snapshot, String pointer) {
        assertThat(snapshot.problems()).as(fault).extracting("pointer").containsExactly(pointer);
        assertThat(snapshot.apis()).containsOnlyKeys("good");
        assertThat(status(snapshot, "/bad")).isEqualTo(503);
        assertThat(status(snapshot, "/good")).isEqualTo(200);
    }

    private static int status(Snapshot snapshot, String path) {
        if (!(snapshot.table().match("h", path, "GET") instanceof RouteMatch.Found(Route route))) return 404;
        return route.pipeline()
                .run(Exchanges.get(path).make(), new PipelineRun(UpstreamWaiter.NOBODY))
                .status();
    }

    private static Snapshot compiled(Faulty type, Function<ConfigNode, Condition> moon) {
        var registry = PolicyRegistry.of(List.of(type), List.of(new Moon(moon)));
        var compiler = new SnapshotCompiler(
                new DefinitionReader(registry), new FakeServices(), _ -> (_, _) -> Response.of(200));
        String bad = api("bad", "{\"type\": \"faulty\", \"when\": {\"moon\": \"full\"}}");
        return compiler.compileLeniently(
                DefinitionSet.ofApis(1, Map.of("good", api("good", ""), "bad", bad)), Snapshot.EMPTY);
    }

    private static String api(String id, String policy) {
        return """
                {"id": "%s", "match": {"path": "/%s"}, "upstream": {"targets": [{"url": "http://10.0.0.1"}]},
                 "policies": [%s]}""".formatted(id, id, policy);
    }

    /// Fails when asked for one thing, and does as it should otherwise.
    private static PolicySpec failing(Method asked, Failure failure) {
        return (PolicySpec) Proxy.newProxyInstance(
                PolicySpec.class.getClassLoader(), new Class<?>[] {PolicySpec.class}, (proxy, method, arguments) -> {
                    if (method.equals(asked)) return failure.happens();
                    if (method.isDefault()) return InvocationHandler.invokeDefault(proxy, method, arguments);
                    return method.invoke(SOUND, arguments);
                });
    }

    private record Faulty(Function<ConfigNode, PolicySpec> reader) implements PolicyType {
        @Override
        public String name() {
            return "faulty";
        }

        @Override
        public Stage stage() {
            return Stage.GUARD;
        }

        @Override
        public PolicySpec read(ConfigNode node) {
            return reader.apply(node);
        }
    }

    private record Moon(Function<ConfigNode, Condition> reader) implements ConditionType {
        @Override
        public String name() {
            return "moon";
        }

        @Override
        public Condition read(ConfigNode node) {
            return reader.apply(node);
        }
    }
}
