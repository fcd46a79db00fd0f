package gateway.policies.standard;

import com.google.auto.service.AutoService;
import gateway.http.Body;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.json.Json;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Answers in place of the upstream, once everything before it has let the request pass.
///
/// @param contentType of the body, unless `headers` names another
/// @param requests which ones it answers; empty: all
public record MockResponse(
        int status, List<WritableHeader<String>> headers, String contentType, String body, List<PathRule> requests)
        implements PolicySpec {
    public MockResponse {
        headers = List.copyOf(headers);
        requests = List.copyOf(requests);
    }

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        Body content = Body.of(body.getBytes(StandardCharsets.UTF_8));
        return exchange -> answers(exchange) ? Verdict.answer(response(content)) : Verdict.proceed();
    }

    private boolean answers(Exchange exchange) {
        return requests.isEmpty() || PathRule.anyCovers(requests, exchange);
    }

    private Response response(Body content) {
        var response = new Response(status, Headers.create(), content);
        if (!body.isEmpty()) response.with("Content-Type", contentType);
        for (var header : headers) response.with(header.name(), header.value());
        return response;
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        @Override
        public String name() {
            return "mock-response";
        }

        @Override
        public Stage stage() {
            return Stage.CACHE;
        }

        @Override
        public MockResponse read(ConfigNode node) {
            int status = (int) node.field("status", "of the answer").integer(200, 599, 200);
            var json = node.field("json", "the body, as `application/json`").unlessGiven("none");
            var body = node.field(
                            "body",
                            "the body, as `text/plain; charset=utf-8` unless `headers` says otherwise; not together with `json`")
                    .unlessGiven("none");
            if (json.isPresent() && body.isPresent()) body.problem("expected either \"body\" or \"json\", got both");
            for (ConfigNode content : List.of(json, body)) {
                if (hasNoContent(status) && content.isPresent()) content.problem("expected none with status " + status);
            }
            return new MockResponse(
                    status,
                    WritableHeader.readAll(
                            node.field("headers", "sent as they stand").form("name and value"),
                            WritableHeader::readValue),
                    json.isPresent() ? "application/json" : "text/plain; charset=utf-8",
                    json.json().map(Json::compact).orElseGet(body::text),
                    node.field(
                                    "requests",
                                    "which requests are answered; the others go to the upstream; `GET` answers `HEAD` too")
                            .form("rules, as in `path-rules`")
                            .unlessGiven("every request")
                            .list(rule -> PathRule.read(rule, false)));
        }

        private static boolean hasNoContent(int status) {
            return status == 204 || status == 205 || status == 304;
        }
    }
}
