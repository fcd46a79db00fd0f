package gateway.policies.message.jose;

import com.google.auto.service.AutoService;
import gateway.json.ConfigNode;
import gateway.policies.message.MessageScope;
import gateway.policy.BodyAccess;
import gateway.policy.BodyUse;
import gateway.policy.Dependency;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Signs, verifies, encrypts and decrypts messages or parts of them (RFC 7515, RFC 7516): with clients in the stage
/// VALIDATE, before the others there, with the upstream in the stage UPSTREAM.
///
/// @param request steps, one after the other
/// @param response likewise
/// @param maxBody bytes, once unpacked
/// @param timeout of a fetch of keys
public record Jose(List<JoseStep> request, List<JoseStep> response, long maxBody, Duration timeout)
        implements PolicySpec {
    public Jose {
        request = List.copyOf(request);
        response = List.copyOf(response);
    }

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        String facts = placement.facts();
        var place = new JosePlace(services, placement.api(), "", facts, timeout);
        JoseSteps ofAnswers = JoseSteps.compile(response, place.at("/response"));
        return new JosePolicy(
                placement.api(),
                placement.counter(),
                "jose:" + placement.step(),
                JoseSteps.compile(request, place.at("/request")),
                ofAnswers,
                ofAnswers.inFields());
    }

    @Override
    public BodyUse bodyUse() {
        return new BodyUse(access(request), access(response));
    }

    private BodyAccess access(List<JoseStep> steps) {
        return steps.stream().anyMatch(JoseStep::inBody) ? BodyAccess.plain(maxBody) : BodyAccess.NONE;
    }

    @Override
    public boolean opensMessages() {
        return request.stream().anyMatch(JoseStep::opens) || response.stream().anyMatch(each -> !each.opens());
    }

    @Override
    public Set<Dependency> dependencies() {
        var found = new HashSet<Dependency>();
        for (JoseStep each : request) each.server().ifPresent(found::add);
        for (JoseStep each : response) each.server().ifPresent(found::add);
        return found;
    }

    @Override
    public boolean callsOut(Services services) {
        return true; // burns CPU, and its time is told
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        /// Answers have none.
        private static final String NO_QUERY =
                """
                {"items": {"properties": {"verify": STEP, "decrypt": STEP, "sign": STEP, "encrypt": STEP}}}
                """.replace("STEP", "{\"properties\": {\"part\": {\"not\": {\"pattern\": \"^query:\"}}}}");
        private static final String SOME = """
                {"anyOf": [{"required": ["request"], "properties": {"request": {"type": "array", "minItems": 1}}},
                 {"required": ["response"], "properties": {"response": {"type": "array", "minItems": 1}}}]}""";

        private static final int MOST_STEPS = 8;
        private static final int DEEPEST = 2;

        @Override
        public String name() {
            return "jose";
        }

        @Override
        public Stage stage() {
            return Stage.VALIDATE;
        }

        @Override
        public List<Stage> stages() {
            return List.of(Stage.VALIDATE, Stage.UPSTREAM);
        }

        @Override
        public Jose read(ConfigNode node) {
            List<JoseStep> request = steps(node.field("request", "steps for requests, one after the other"), false);
            List<JoseStep> response = steps(node.field("response", "steps for answers, one after the other"), true);
            node.obeys(SOME);
            if (request.isEmpty() && response.isEmpty())
                node.problem("expected steps in request, response or both, got neither");
            return new Jose(
                    request,
                    response,
                    MessageScope.maxBody(node),
                    node.field("timeout", "for a fetch of keys")
                            .duration(Duration.ofMillis(10), Duration.ofSeconds(30), Duration.ofSeconds(5)));
        }

        private static List<JoseStep> steps(ConfigNode list, boolean answers) {
            var found = new ArrayList<JoseStep>();
            list.list(each -> JoseStep.read(each, answers)).forEach(each -> each.ifPresent(found::add));
            list.extent(0, MOST_STEPS);
            if (answers) list.obeys(NO_QUERY);
            if (found.size() > MOST_STEPS)
                list.problem("expected at most " + MOST_STEPS + " steps, got " + found.size());
            for (JoseStep each : found) {
                long opened = found.stream()
                        .filter(other -> other.opens() && other.part().equals(each.part()))
                        .count();
                if (opened > DEEPEST) {
                    list.problem("expected at most " + DEEPEST + " steps that open the same part");
                    break;
                }
            }
            return found;
        }
    }
}
