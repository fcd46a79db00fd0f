package gateway.policies.message.graphql;

import gateway.http.Exchange;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import java.util.List;

/// Looks at each request, and lets those pass that a judge takes.
///
/// @param webSockets whether handshakes pass unseen
record GraphqlCheck(GraphqlRequests requests, QueryJudge judge, boolean webSockets) implements Policy {
    private static final String HANDSHAKE = "Sec-WebSocket-Version"; // in every handshake that is served as one

    @Override
    public Verdict apply(Exchange exchange) {
        try {
            if (!exchange.headers().first(HANDSHAKE).isPresent()) look(exchange);
            else if (!webSockets) throw QueryRefusedException.of("forbidden", 403, "WebSockets are not passed on");
            return Verdict.proceed();
        } catch (QueryRefusedException e) {
            return Verdict.stop(e.refusal().toResponse(exchange));
        }
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
