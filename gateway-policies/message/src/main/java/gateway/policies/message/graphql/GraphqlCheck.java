package gateway.policies.message.graphql;

import gateway.http.Exchange;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import java.util.List;

/// Looks at each request, and lets those pass that a judge takes.
///
/// @param webSockets whether handshakes pass, which hold no request of GraphQL themselves
record GraphqlCheck(GraphqlRequests requests, QueryJudge judge, boolean webSockets) implements Policy {
    private static final String HANDSHAKE = "Sec-WebSocket-Version"; // in every handshake that is served as one

    @Override
    public Verdict apply(Exchange exchange) {
        try {
            if (isHandshake(exchange)) checkHandshake(exchange);
            else look(exchange);
            return Verdict.proceed();
        } catch (QueryRefusedException e) {
            return Verdict.stop(e.refusal().toResponse(exchange));
        }
    }

    /// Or looks like one: `Connection` and `Upgrade`, which make one of it, are not shown to policies.
    private static boolean isHandshake(Exchange exchange) {
        return exchange.method().equals("GET")
                && exchange.headers().first(HANDSHAKE).isPresent();
    }

    /// One that is served as a plain request, here or by the upstream, may ask for nothing either.
    private void checkHandshake(Exchange exchange) {
        if (!webSockets) throw QueryRefusedException.of("forbidden", 403, "WebSockets are not passed on");
        GraphqlRequests.requireNoBody(exchange);
        QueryParameters.refuse(exchange.outgoing().query());
    }

    private void look(Exchange exchange) {
        SentRequests sent = requests.read(exchange);
        List<String> named = judge.judge(sent.all(), exchange);
        for (String each : named) {
            if (each.isEmpty()) continue;
            sent.spellOut(named, exchange.outgoing());
            return;
        }
    }
}
