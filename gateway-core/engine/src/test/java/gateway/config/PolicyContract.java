package gateway.config;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchanges;
import gateway.http.Outcome;
import gateway.http.Outcome.Ending;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.pipeline.Pipeline;
import gateway.pipeline.PipelineRun;
import gateway.policy.FakeServices;
import gateway.policy.PolicyType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What every policy owes, whoever wrote it: a reader that no input breaks and that names what is wrong, a verdict
/// on every request, whatever its body is and whoever is away, late or lying, no trace of a request that is only
/// supposed, and nothing kept: neither by a request
/// that is over, nor by a policy that is served no more. Extended for the types of a module, with cases ([#outages])
/// for those that ask something outside of the process:
///
/// ```java
/// final class OurPoliciesTest extends PolicyContract {
///     protected List<PolicyType> types() { return List.of(new RequireTenant.Type()); }
///     protected String example(PolicyType type) { return "{\"type\": \"require-tenant\", \"tenants\": [\"north\"]}"; }
/// }
/// ```
public abstract class PolicyContract extends PolicyExplainContract {
    private static final int MANY = 300;
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    /// A place that an aborted request kept would be missed by the last of so many that come one after the other.
    @ParameterizedTest
    @MethodSource("types")
    void a_request_keeps_nothing_once_it_is_over_or_its_client_has_left(PolicyType type) {
        FakeServices services = services(type);
        Pipeline pipeline = pipeline(type, services);
        int first = requestAndLeave(pipeline);
        for (int i = 1; i < MANY; i++) {
            services.clock().advance(Duration.ofHours(1)); // what counts by time has forgotten those before
            requestAndLeave(pipeline);
        }

        assertThat(requestAndLeave(pipeline)).isEqualTo(first);
        assertThat(services.workers().waiting()).isZero();
        until(() -> services.workers().running() == 0); // who has the result of the last work is not its thread
    }

    /// @return the status that its client would have seen
    private static int requestAndLeave(Pipeline pipeline) {
        var run = new PipelineRun(UpstreamWaiter.NOBODY);
        var request = Exchanges.of("POST", "/").body("{}").with("Content-Type", "application/json");
        Response answer = pipeline.run(request.make(), run);
        run.end(new Outcome(Ending.CLIENT_GONE.unanswered(), Ending.CLIENT_GONE, 0, 1));
        return answer.status();
    }

    @ParameterizedTest
    @MethodSource("types")
    void what_it_shares_is_let_go_when_it_is_served_no_more(PolicyType type) {
        FakeServices services = services(type);
        Set<Thread> threads = threads();
        List<String> sockets = sockets();

        try (var policy = new ServedPolicy(reader(), definitions(type, json(type), services), services)) {
            for (String credential : List.of("Bearer a.b.c", "Basic YWxpY2U6c2VjcmV0")) {
                policy.answer(Exchanges.get("/").with("Authorization", credential));
            }
        }

        assertThat(services.parts().size()).isZero();
        assertThat(services.refresher().waiting()).as("timers").isZero();
        services.refresher().close();
        until(() -> threads.containsAll(threads()));
        assertThat(sockets()).isSubsetOf(sockets);
    }

    /// Those that somebody started who is not the JVM, but for the gateway's workers, which serve all policies.
    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getThreadGroup() != null)
                .filter(thread -> thread.getThreadGroup().getName().equals("main"))
                .filter(thread -> !thread.getName().startsWith("worker-"))
                .collect(Collectors.toSet());
    }

    /// None where the system does not tell.
    private static List<String> sockets() {
        if (!Files.isDirectory(DESCRIPTORS)) return List.of();
        try (Stream<Path> open = Files.list(DESCRIPTORS)) {
            return open.flatMap(PolicyContract::target)
                    .filter(target -> target.startsWith("socket:"))
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static Stream<String> target(Path descriptor) {
        try {
            return Stream.of(Files.readSymbolicLink(descriptor).toString());
        } catch (IOException e) {
            return Stream.of(); // it has been closed
        }
    }
}
