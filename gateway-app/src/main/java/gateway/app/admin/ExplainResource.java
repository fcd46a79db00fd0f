package gateway.app.admin;

import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.snapshot.LiveSnapshot;
import gateway.snapshot.RequestPreparation;
import gateway.snapshot.SupposedRequest;
import java.util.List;

/// `/explain`: says how a request would fare by what is served now. Nothing is spent, called, counted or recorded.
final class ExplainResource {
    private final LiveSnapshot live;
    private final RequestPreparation preparation;

    ExplainResource(LiveSnapshot live, RequestPreparation preparation) {
        this.live = live;
        this.preparation = preparation;
    }

    List<AdminRoute> routes() {
        return List.of(AdminRoute.of(
                        "POST",
                        "/explain",
                        "explain",
                        "Says how a request would fare, policy by policy; nothing is sent, spent or recorded",
                        this::explain)
                .needing(AdminRight.READ)
                .taking("SupposedRequest")
                .answering(200, "its route, what each policy says, and what the upstream would get", "Explanation"));
    }

    private Response explain(AdminCall call) {
        ConfigNode node = ConfigNode.of(call.json());
        SupposedRequest request = SupposedRequestReader.read(node);
        node.throwIfInvalid();
        return Answers.ok(ExplanationJson.of(request.explain(live.current(), preparation)));
    }
}
