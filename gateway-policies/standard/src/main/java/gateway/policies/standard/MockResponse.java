package gateway.policies.standard;

import com.google.auto.service.AutoService;
import gateway.config.ResourceReader;
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
import gateway.service.Resource;
import gateway.service.ResourceReference;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/// Answers in place of the upstream, once everything before it has let the request pass.
///
/// @param contentType of the body, unless `headers` names another
/// @param resource whose content is the body instead, of its own type
/// @param requests which ones it answers; empty: all
public record MockResponse(
        int status,
        List<WritableHeader<String>> headers,
        String contentType,
        String body,
        Optional<ResourceReference> resource,
        List<PathRule> requests)
        implements PolicySpec {
    public MockResponse {
        headers = List.copyOf(headers);
        requests = List.copyOf(requests);
    }

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        Optional<Resource> stored = resource.map(services::resource);
        Body content = Body.of(stored.map(Resource::bytes).orElseGet(() -> body.getBytes(StandardCharsets.UTF_8)));
        String type = stored.map(Resource::contentType).orElse(contentType);
        return exchange -> answers(exchange) ? Verdict.answer(response(content, type)) : Verdict.proceed();
    }

    private boolean answers(Exchange exchange) {
        return requests.isEmpty() || PathRule.anyCovers(requests, exchange);
    }

    private Response response(Body content, String type) {
        var response = new Response(status, Headers.create(), content);
        if (content.length().orElse(0) > 0) response.with("Content-Type", type);
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
                            "the body, as `text/plain; charset=utf-8` unless `headers` says otherwise, or `{\"resource\": \"id\"}`; not together with `json`")
                    .unlessGiven("none");
            if (json.isPresent() && body.isPresent()) body.problem("expected either \"body\" or \"json\", got both");
            for (ConfigNode content : List.of(json, body)) {
                if (hasNoContent(status) && content.isPresent()) content.problem("expected none with status " + status);
            }
            boolean isStored = ResourceReader.isReference(body);
            return new MockResponse(
                    status,
                    WritableHeader.readAll(
                            node.field("headers", "sent as they stand").form("name and value"),
                            WritableHeader::readValue),
                    json.isPresent() ? "application/json" : "text/plain; charset=utf-8",
                    isStored ? "" : json.json().map(Json::compact).orElseGet(body::text),
                    isStored ? Optional.of(ResourceReader.read(body)) : Optional.empty(),
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
