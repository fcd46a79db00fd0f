package gateway.policies.message.transform;

import com.google.auto.service.AutoService;
import gateway.http.Body;
import gateway.http.BodyRefusedException;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.policies.message.BoundReachedException;
import gateway.policies.message.ContentChange;
import gateway.policies.message.ContentChange.Made;
import gateway.policies.message.MessageScope;
import gateway.policies.message.SizedWork;
import gateway.policies.message.json.JsonBodies;
import gateway.policy.BodyUse;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Changes JSON on its way to the upstream or back.
///
/// @param each places of which each gets all operations by itself; empty: the whole JSON does
/// @param operations one after the other
/// @param strict whether a place that is not there is an error
/// @param mostBytes of what comes of it
public record JsonTransform(
        MessageScope scope, Optional<TreePlace> each, List<TreeOperation> operations, boolean strict, long mostBytes)
        implements PolicySpec {
    public JsonTransform {
        operations = List.copyOf(operations);
    }

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        var changes = new ArrayList<TreeOperation.Change>();
        for (TreeOperation operation : operations)
            changes.add(operation.compiled(strict, "/operations/" + changes.size()));
        TreeOperation.Change all = new TreeChanges(changes);
        int steps = operations.stream().mapToInt(TreeOperation::steps).sum();
        if (each.isPresent()) all = new ChangeOfEach(each.get(), all, steps, strict);
        long small = Math.min(JsonBodies.SMALL, Transforming.LONGEST_AT_ONCE / Math.max(1, steps));
        var work = new SizedWork(services.workers(), small);
        return new ContentChange(scope.on(), scope.types(), new Transforming(this, all, work));
    }

    @Override
    public BodyUse bodyUse() {
        return scope.bodyUse();
    }

    @Override
    public boolean callsOut(Services services) {
        return true; // burns CPU, and its time is told
    }

    /// @param change all that is to be done, made ready
    private record Transforming(JsonTransform policy, TreeOperation.Change change, SizedWork work)
            implements ContentChange.Maker {
        static final long LONGEST_AT_ONCE = 64 << 10; // bytes that are gone through

        private static final long MOST_AT_ONCE = 8 << 10; // bytes that are added
        private static final long STEPS_AT_ONCE = 1_000;

        @Override
        public Optional<Made> ofRequest(Exchange exchange) {
            return of(exchange.headers(), exchange.outgoing().body(), exchange);
        }

        @Override
        public Optional<Made> ofAnswer(Response response, Exchange exchange) {
            return of(response.headers(), response.body(), exchange);
        }

        private Optional<Made> of(Headers fields, Body body, Exchange exchange) {
            if (!(body instanceof HeldBody held) || !held.isPlain() || held.content().length == 0)
                return Optional.empty();
            if (!policy.scope.types().include(fields)) return Optional.empty();
            if (!JsonBodies.isUtf8(fields)) return Optional.of(new Made.Refused(JsonBodies.otherCharset()));
            long mostAtOnce = Math.min(MOST_AT_ONCE, policy.mostBytes);
            return Optional.of(work.on(
                    held,
                    exchange,
                    () -> changed(held, exchange, mostAtOnce, STEPS_AT_ONCE),
                    () -> patient(held, exchange)));
        }

        private Made patient(HeldBody body, Exchange exchange) {
            try {
                return changed(body, exchange, policy.mostBytes, TreeRoom.MOST_STEPS);
            } catch (BoundReachedException e) {
                return new Made.Refused(JsonBodies.tooComplex("", String.valueOf(e.getMessage())));
            }
        }

        private Made changed(HeldBody body, Exchange exchange, long most, long steps) {
            var room = new TreeRoom(most, steps, body.memory());
            try {
                JsonNode tree = change.of(room.own(body.json()), exchange, room);
                byte[] content = JsonBodies.written(tree);
                if (content.length > policy.mostBytes)
                    throw new BoundReachedException("at most " + policy.mostBytes + " bytes to come of it");
                body.memory().hold(content.length);
                return new Made.Content(Body.of(content), "");
            } catch (BodyRefusedException e) {
                return new Made.Refused(JsonBodies.refusal(e));
            } catch (OperationFailedException e) {
                return new Made.Refused(new Problem(
                        "invalid-content",
                        422,
                        "Invalid content",
                        "The body is not as its transformation needs it",
                        List.of(new ConfigProblem(e.pointer(), String.valueOf(e.getMessage())))));
            }
        }
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        private static final int MOST_OPERATIONS = 100;

        @Override
        public String name() {
            return "json-transform";
        }

        @Override
        public Stage stage() {
            return Stage.TRANSFORM;
        }

        @Override
        public JsonTransform read(ConfigNode node) {
            ConfigNode list = node.field("operations", "what is done, one after the other; 1 to 100");
            List<TreeOperation> operations = list.list(TreeOperationReader::read);
            list.extent(1, MOST_OPERATIONS);
            if (operations.isEmpty() || operations.size() > MOST_OPERATIONS)
                list.problem("expected 1 to " + MOST_OPERATIONS + " operations, got " + operations.size());
            ConfigNode each = node.field(
                            "each", "all operations are done to each of these by itself, such as `/*` or `/lines/*`")
                    .unlessGiven("the whole JSON");
            return new JsonTransform(
                    MessageScope.read(node, JsonBodies.TYPES),
                    each.isPresent() ? Optional.of(TreePlace.read(each)) : Optional.empty(),
                    operations,
                    node.field("strict", "whether a place that is not there is an error")
                            .bool(false),
                    node.field("maxOutput", "most bytes of what comes of it").size(1024, 16 << 20, 4 << 20));
        }
    }
}
