package gateway.policies.message.graphql;

import com.google.auto.service.AutoService;
import gateway.http.Headers;
import gateway.json.ConfigNode;
import gateway.policies.message.MediaRanges;
import gateway.policies.message.MessageScope;
import gateway.policy.BodyAccess;
import gateway.policy.BodyUse;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Lets requests of GraphQL pass only when what they ask for is bounded and allowed.
///
/// @param introspection whether the schema may be asked for
/// @param batch requests that one may hold
/// @param webSockets whether handshakes pass, behind which nothing is looked at
/// @param maxBody bytes, once unpacked
public record GraphqlGuard(
        QueryBounds bounds,
        Optional<CostRule> cost,
        SchemaQuestions introspection,
        int batch,
        Optional<PersistedRule> persisted,
        OperationGrants operations,
        boolean webSockets,
        long maxBody)
        implements PolicySpec {
    static final MediaRanges JSON = new MediaRanges(List.of("application/json"));
    static final MediaRanges TEXT = new MediaRanges(List.of("application/graphql"));

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        var id = new QueryShapes.Id(bounds, cost);
        QueryShapes shapes = services.shared(id, QueryShapes.class, () -> new QueryShapes(id));
        Optional<PersistedQueries> known =
                persisted.map(rule -> PersistedQueries.of(services.resource(rule.queries()), shapes));
        return new GraphqlCheck(
                new GraphqlRequests(batch, bounds.variables(), services.workers()),
                new QueryJudge(this, shapes, known, services.workers()),
                webSockets);
    }

    @Override
    public BodyUse bodyUse() {
        return BodyUse.ofRequests(BodyAccess.plain(maxBody).only(GraphqlGuard::takes));
    }

    private static boolean takes(Headers fields, OptionalLong length) {
        return JSON.include(fields) || TEXT.include(fields);
    }

    @Override
    public boolean callsOut(Services services) {
        return true; // burns CPU, and its time is told
    }

    /// With documents that it puts into requests it does more than refuse.
    @Override
    public boolean mayReport() {
        return persisted.isEmpty();
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        @Override
        public String name() {
            return "graphql-guard";
        }

        @Override
        public Stage stage() {
            return Stage.VALIDATE;
        }

        @Override
        public GraphqlGuard read(ConfigNode node) {
            QueryBounds bounds = QueryBounds.read(node);
            ConfigNode cost =
                    node.field("cost", "bounds what a request may cost").unlessGiven("unbounded");
            ConfigNode persisted =
                    node.field("persisted", "documents that clients may name").unlessGiven("none");
            return new GraphqlGuard(
                    bounds,
                    cost.isPresent() ? Optional.of(CostRule.read(cost)) : Optional.empty(),
                    node.field("introspection", "whether the schema may be asked for")
                            .choice(SchemaQuestions.DENY),
                    (int) node.field("batch", "requests that one may hold, as an array")
                            .integer(1, 100, 1),
                    persisted.isPresent() ? Optional.of(PersistedRule.read(persisted)) : Optional.empty(),
                    OperationGrants.read(node.field("operations", "who may ask for which kind of operation")
                            .unlessGiven("queries and mutations for all, subscriptions for nobody")),
                    node.field("webSockets", "whether handshakes pass, behind which nothing is looked at")
                            .bool(false),
                    MessageScope.maxBody(node));
        }
    }
}
