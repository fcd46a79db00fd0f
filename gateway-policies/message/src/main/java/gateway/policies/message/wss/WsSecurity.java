package gateway.policies.message.wss;

import com.google.auto.service.AutoService;
import gateway.json.ConfigNode;
import gateway.policies.message.KeyWork;
import gateway.policies.message.MediaRanges;
import gateway.policies.message.MessageScope;
import gateway.policies.message.xml.XmlContent;
import gateway.policy.BodyAccess;
import gateway.policy.BodyUse;
import gateway.policy.Dependency;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Verifies, opens, signs and encrypts SOAP messages (OASIS WS-Security 1.1): with clients in the stage AUTHENTICATE,
/// with the upstream in the stage UPSTREAM.
///
/// @param request steps, one after the other
/// @param response likewise
/// @param actor whose `Security` header is meant; empty text: that of nobody in particular
/// @param fault whether requests are refused by SOAP faults
/// @param maxBody bytes, once unpacked
public record WsSecurity(
        List<SecurityStep> request,
        List<SecurityStep> response,
        MediaRanges types,
        String actor,
        boolean mustUnderstand,
        boolean fault,
        long maxBody)
        implements PolicySpec {
    public WsSecurity {
        request = List.copyOf(request);
        response = List.copyOf(response);
    }

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        String facts = placement.facts();
        var work = new KeyWork(services.workers(), placement.api());
        var place = new SecurityPlace(services, placement.counter(), "", facts, mustUnderstand, work);
        return new WsSecurityPolicy(
                placement.api(),
                placement.counter(),
                "ws-security:" + placement.step(),
                SecuritySteps.compile(request, types, actor, work, place.at("/request")),
                SecuritySteps.compile(response, types, actor, work, place.at("/response")),
                fault);
    }

    @Override
    public BodyUse bodyUse() {
        return new BodyUse(access(request), access(response));
    }

    private BodyAccess access(List<SecurityStep> steps) {
        return steps.isEmpty() ? BodyAccess.NONE : BodyAccess.plain(maxBody);
    }

    @Override
    public boolean mayReport() {
        return Stream.concat(request.stream(), response.stream()).allMatch(SecurityStep::onlyChecks);
    }

    @Override
    public Set<Dependency> dependencies() {
        return takesOnce() ? Set.of(Dependency.Store.SHORT_TERM) : Set.of();
    }

    private boolean takesOnce() {
        return request.stream().anyMatch(UserNameStep.class::isInstance);
    }

    @Override
    public Optional<String> sideEffect() {
        return takesOnce() ? Optional.of("it takes each nonce once") : Optional.empty();
    }

    @Override
    public boolean callsOut(Services services) {
        return true; // burns CPU, and its time is told
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        /// Whoever signs an answer calls nobody.
        private static final String NO_CALLER =
                "{\"items\": {\"properties\": {\"verify\": {\"properties\": {\"consumer\": {\"not\": {}}}}}}}";
        private static final String SOME = """
                {"anyOf": [{"required": ["request"], "properties": {"request": {"type": "array", "minItems": 1}}},
                 {"required": ["response"], "properties": {"response": {"type": "array", "minItems": 1}}}]}""";

        private static final int MOST_STEPS = 8;
        private static final Pattern ACTOR = Pattern.compile("[!-~]{0,1024}");

        @Override
        public String name() {
            return "ws-security";
        }

        @Override
        public Stage stage() {
            return Stage.AUTHENTICATE;
        }

        @Override
        public List<Stage> stages() {
            return List.of(Stage.AUTHENTICATE, Stage.UPSTREAM);
        }

        @Override
        public WsSecurity read(ConfigNode node) {
            List<SecurityStep> request = steps(node.field("request", "steps for requests, one after the other"), false);
            List<SecurityStep> response = steps(node.field("response", "steps for answers, one after the other"), true);
            node.obeys(SOME);
            if (request.isEmpty() && response.isEmpty())
                node.problem("expected steps in request, response or both, got neither");
            ConfigNode actor = node.field("actor", "whose `Security` header is meant (`role` in SOAP 1.2)")
                    .unlessGiven("that without one");
            actor.like(ACTOR);
            if (!ACTOR.matcher(actor.text()).matches())
                actor.expected("a URI of at most 1024 characters, visible ones of ASCII");
            return new WsSecurity(
                    request,
                    response,
                    MediaRanges.read(node.field("contentTypes", "of SOAP; others are refused"), XmlContent.TYPES),
                    actor.text(""),
                    node.field("mustUnderstand", "of a `Security` header that is added")
                            .bool(true),
                    node.field("fault", "refuse requests by SOAP faults rather than problems")
                            .bool(true),
                    MessageScope.maxBody(node));
        }

        private static List<SecurityStep> steps(ConfigNode list, boolean answers) {
            var found = new ArrayList<SecurityStep>();
            list.list(each -> SecurityStep.read(each, answers)).forEach(each -> each.ifPresent(found::add));
            list.extent(0, MOST_STEPS);
            if (answers) list.obeys(NO_CALLER);
            if (found.size() > MOST_STEPS)
                list.problem("expected at most " + MOST_STEPS + " steps, got " + found.size());
            return found;
        }
    }
}
