package gateway.policies.standard;

import com.google.auto.service.AutoService;
import gateway.http.Exchange;
import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.policy.CredentialFields;
import gateway.policy.Followup;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Template;
import gateway.policy.Verdict;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Changes the headers of requests on their way to the upstream and of responses on their way back.
public record HeaderRules(Rules request, Rules response) implements PolicySpec {
    /// What is to be done to one message, as the definition has it.
    ///
    /// @param rename new names by old ones
    /// @param cookies that are set; none in requests
    record Rules(
            List<WritableHeader<HeaderValue>> set,
            List<WritableHeader<HeaderValue>> add,
            RemovedFields remove,
            Map<String, String> rename,
            List<AnswerCookie> cookies) {
        Rules {
            set = List.copyOf(set);
            add = List.copyOf(add);
            rename = Collections.unmodifiableMap(new LinkedHashMap<>(rename));
            cookies = List.copyOf(cookies);
        }

        /// The names of those whose values nobody else is to see.
        private Stream<String> hidden() {
            return Stream.concat(set.stream(), add.stream())
                    .filter(header -> header.value() instanceof HeaderValue.Hidden)
                    .map(WritableHeader::name);
        }

        /// With its secrets.
        private HeaderChanges ready(Services services) {
            return new HeaderChanges(ready(set, services), ready(add, services), remove, rename, cookies);
        }

        private static List<WritableHeader<Template>> ready(
                List<WritableHeader<HeaderValue>> headers, Services services) {
            return headers.stream()
                    .map(header -> HeaderValue.ready(header, services))
                    .toList();
        }
    }

    @Override
    public CredentialFields credentials() {
        return new CredentialFields(
                Stream.concat(request.hidden(), response.hidden()).collect(Collectors.toSet()), Set.of());
    }

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        HeaderChanges onTheWayIn = request.ready(services);
        HeaderChanges onTheWayBack = response.ready(services);
        return exchange -> {
            if (!onTheWayIn.isEmpty()) onTheWayIn.apply(exchange.outgoing().headers(), exchange);
            return onTheWayBack.isEmpty()
                    ? Verdict.proceed()
                    : Verdict.proceed(new OnTheWayBack(onTheWayBack, exchange));
        };
    }

    private record OnTheWayBack(HeaderChanges changes, Exchange exchange) implements Followup {
        @Override
        public Response onResponse(Response response) {
            changes.apply(response.headers(), exchange);
            return response;
        }
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        private static final int MOST_COOKIES = 50; // that browsers keep of one host at least (RFC 6265 §6.1)

        @Override
        public String name() {
            return "headers";
        }

        @Override
        public Stage stage() {
            return Stage.TRANSFORM;
        }

        @Override
        public List<Stage> stages() {
            return List.of(Stage.TRANSFORM, Stage.UPSTREAM);
        }

        @Override
        public HeaderRules read(ConfigNode node) {
            var rules = new HeaderRules(
                    rules(
                            node.field("request", "what is changed on the way to the upstream; this or `response`"),
                            false),
                    rules(node.field("response", "what is changed on the way back; this or `request`"), true));
            node.some("request", "response");
            if (!node.field("request").isPresent() && !node.field("response").isPresent()) {
                node.problem("expected \"request\" or \"response\"");
            }
            return rules;
        }

        /// @param ofAnswers which alone set cookies
        private static Rules rules(ConfigNode node, boolean ofAnswers) {
            node.expectObject();
            var rules = new Rules(
                    WritableHeader.readAll(
                            node.field("set", "replaces all lines of that name").form("name and value"),
                            HeaderValue::read),
                    WritableHeader.readAll(
                            node.field("add", "one more line").form("name and value"), HeaderValue::read),
                    RemovedFields.read(node, ofAnswers),
                    renamed(node.field("rename", "old and new name; takes the place of what is there under the new one")
                            .form("names")),
                    ofAnswers
                            ? node.field("setCookie", "in place of another of that name, at most 50")
                                    .extent(0, MOST_COOKIES)
                                    .list(AnswerCookie::read)
                            : List.of());
            if (rules.cookies().size() > MOST_COOKIES)
                node.field("setCookie").problem("expected at most " + MOST_COOKIES + " cookies");
            node.refuseUnknownFields();
            return rules;
        }

        private static Map<String, String> renamed(ConfigNode node) {
            var names = new LinkedHashMap<String, String>();
            WritableHeader.readAll(node, WritableHeader::readName)
                    .forEach(header -> names.put(header.name(), header.value()));
            return names;
        }
    }
}
