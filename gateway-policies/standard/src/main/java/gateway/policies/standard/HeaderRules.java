package gateway.policies.standard;

import com.google.auto.service.AutoService;
import gateway.config.SecretReader;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.json.InvalidConfigException;
import gateway.policy.CredentialFields;
import gateway.policy.Followup;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Template;
import gateway.policy.TemplatePlace;
import gateway.policy.Verdict;
import gateway.service.SecretReference;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Changes the headers of requests on their way to the upstream and of responses on their way back.
public record HeaderRules(Rules request, Rules response) implements PolicySpec {
    /// A value as the definition has it.
    sealed interface Value {
        /// Text with placeholders.
        record Text(Template template) implements Value {}

        /// The whole value is a secret.
        record Hidden(SecretReference secret) implements Value {}
    }

    /// What is to be done to one message, as the definition has it.
    record Rules(List<WritableHeader<Value>> set, List<WritableHeader<Value>> add, List<String> remove) {
        Rules {
            set = List.copyOf(set);
            add = List.copyOf(add);
            remove = List.copyOf(remove);
        }

        /// The names of those whose values nobody else is to see.
        private Stream<String> hidden() {
            return Stream.concat(set.stream(), add.stream())
                    .filter(header -> header.value() instanceof Value.Hidden)
                    .map(WritableHeader::name);
        }

        /// With its secrets.
        private Changes ready(Services services) {
            return new Changes(ready(set, services), ready(add, services), remove);
        }

        private static List<WritableHeader<Template>> ready(List<WritableHeader<Value>> headers, Services services) {
            return headers.stream()
                    .map(header -> new WritableHeader<>(header.name(), template(header, services)))
                    .toList();
        }

        private static Template template(WritableHeader<Value> header, Services services) {
            return switch (header.value()) {
                case Value.Text(var template) -> template;
                case Value.Hidden(var reference) ->
                    Template.hidden(services.secret(reference), TemplatePlace.HEADER)
                            .orElseThrow(() -> new InvalidConfigException(
                                    "",
                                    reference + ": holds characters that may not stand in the header "
                                            + header.name()));
            };
        }
    }

    /// What is done to one message: first `remove`, then `set`, then `add`. A value that comes out empty is not
    /// written, but `set` removes what was there all the same: nobody can send in a header what the gateway would
    /// set.
    private record Changes(
            List<WritableHeader<Template>> set, List<WritableHeader<Template>> add, List<String> remove) {
        boolean isEmpty() {
            return set.isEmpty() && add.isEmpty() && remove.isEmpty();
        }

        void apply(Headers headers, Exchange exchange) {
            String[] values = rendered(exchange);
            for (int i = 0; i < remove.size(); i++) headers.remove(remove.get(i));
            for (int i = 0; i < set.size(); i++) {
                String name = set.get(i).name();
                if (values[i].isEmpty()) headers.remove(name);
                else headers.set(name, values[i]);
            }
            for (int i = 0; i < add.size(); i++) {
                String value = values[set.size() + i];
                if (!value.isEmpty()) headers.add(add.get(i).name(), value);
            }
        }

        /// Values see the headers as they are before this policy changes any of the message: those of the request
        /// as the policies before have left them, and for the response as the upstream got them.
        private String[] rendered(Exchange exchange) {
            var values = new String[set.size() + add.size()];
            for (int i = 0; i < set.size(); i++) values[i] = set.get(i).value().render(exchange);
            for (int i = 0; i < add.size(); i++)
                values[set.size() + i] = add.get(i).value().render(exchange);
            return values;
        }
    }

    @Override
    public CredentialFields credentials() {
        return new CredentialFields(
                Stream.concat(request.hidden(), response.hidden()).collect(Collectors.toSet()), Set.of());
    }

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        Changes onTheWayIn = request.ready(services);
        Changes onTheWayBack = response.ready(services);
        return exchange -> {
            if (!onTheWayIn.isEmpty()) onTheWayIn.apply(exchange.outgoing().headers(), exchange);
            return onTheWayBack.isEmpty()
                    ? Verdict.proceed()
                    : Verdict.proceed(new OnTheWayBack(onTheWayBack, exchange));
        };
    }

    private record OnTheWayBack(Changes changes, Exchange exchange) implements Followup {
        @Override
        public Response onResponse(Response response) {
            changes.apply(response.headers(), exchange);
            return response;
        }
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
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
                    rules(node.field("request", "what is changed on the way to the upstream; this or `response`")),
                    rules(node.field("response", "what is changed on the way back; this or `request`")));
            if (!node.field("request").isPresent() && !node.field("response").isPresent()) {
                node.problem("expected \"request\" or \"response\"");
            }
            return rules;
        }

        private static Value value(ConfigNode node) {
            boolean isReference = node.json().filter(json -> json.isObject()).isPresent();
            return isReference
                    ? new Value.Hidden(SecretReader.read(node))
                    : new Value.Text(Template.read(node, TemplatePlace.HEADER));
        }

        private static Rules rules(ConfigNode node) {
            node.expectObject();
            var rules = new Rules(
                    WritableHeader.readAll(
                            node.field("set", "replaces all lines of that name").form("name and value"), Type::value),
                    WritableHeader.readAll(node.field("add", "one more line").form("name and value"), Type::value),
                    node.field("remove", "taken out, all lines of that name")
                            .form("header names")
                            .list(WritableHeader::readName));
            node.refuseUnknownFields();
            return rules;
        }
    }
}
