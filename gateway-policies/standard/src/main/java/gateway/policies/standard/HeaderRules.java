package gateway.policies.standard;

import com.google.auto.service.AutoService;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.Response;
import gateway.json.ConfigNode;
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
import java.util.List;

/// Changes the headers of requests on their way to the upstream and of responses on their way back.
public record HeaderRules(Changes request, Changes response) implements PolicySpec {
    /// What is done to one message: first `remove`, then `set`, then `add`. A value that comes out empty is not
    /// written, but `set` removes what was there all the same: nobody can send in a header what the gateway would
    /// set.
    public record Changes(List<WritableHeader<Template>> set, List<WritableHeader<Template>> add, List<String> remove) {
        public Changes {
            set = List.copyOf(set);
            add = List.copyOf(add);
            remove = List.copyOf(remove);
        }

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

        /// Values see the headers as they came, whatever is removed or set meanwhile.
        private String[] rendered(Exchange exchange) {
            var values = new String[set.size() + add.size()];
            for (int i = 0; i < set.size(); i++) values[i] = set.get(i).value().render(exchange);
            for (int i = 0; i < add.size(); i++)
                values[set.size() + i] = add.get(i).value().render(exchange);
            return values;
        }
    }

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        return exchange -> {
            if (!request.isEmpty()) request.apply(exchange.outgoing().headers(), exchange);
            return response.isEmpty() ? Verdict.proceed() : Verdict.proceed(new OnTheWayBack(response, exchange));
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
        public HeaderRules read(ConfigNode node) {
            var rules = new HeaderRules(changes(node.field("request")), changes(node.field("response")));
            if (!node.field("request").isPresent() && !node.field("response").isPresent()) {
                node.problem("expected \"request\" or \"response\"");
            }
            return rules;
        }

        private static Template value(ConfigNode node) {
            return Template.read(node, TemplatePlace.HEADER);
        }

        private static Changes changes(ConfigNode node) {
            node.expectObject();
            var changes = new Changes(
                    WritableHeader.readAll(node.field("set"), Type::value),
                    WritableHeader.readAll(node.field("add"), Type::value),
                    node.field("remove").list(WritableHeader::readName));
            node.refuseUnknownFields();
            return changes;
        }
    }
}
