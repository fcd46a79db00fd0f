package gateway.policies.standard;

import com.google.auto.service.AutoService;
import gateway.http.Exchange;
import gateway.json.ConfigNode;
import gateway.policy.BodyUse;
import gateway.policy.Condition;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Template;
import gateway.policy.TemplatePlace;
import gateway.policy.Variables;
import gateway.policy.Verdict;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/// Leaves texts in variables, for policies that follow, for conditions and for the record of the request.
///
/// @param set in the order of the definition, so that a later one may use an earlier one
public record Tag(List<Variable> set) implements PolicySpec {
    private static final int MOST = 32;

    public Tag {
        set = List.copyOf(set);
    }

    /// @param name without `var.`
    /// @param recorded whether the traffic record tells it
    record Variable(String name, Template value, boolean recorded) {}

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        return exchange -> {
            for (int i = 0; i < set.size(); i++) set(set.get(i), exchange);
            return Verdict.proceed();
        };
    }

    @Override
    public BodyUse bodyUse() {
        boolean readsBody = set.stream().anyMatch(each -> each.value().readsBody());
        return readsBody ? BodyUse.ofRequests(Condition.BODY) : BodyUse.NONE;
    }

    /// What comes out empty is not there, as for all that has no value.
    private static void set(Variable variable, Exchange exchange) {
        String value = Variables.bounded(variable.value().render(exchange));
        exchange.variable(variable.name(), value);
        if (variable.recorded() && !value.isEmpty()) exchange.label(variable.name(), value);
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        @Override
        public String name() {
            return "tag";
        }

        @Override
        public Stage stage() {
            return Stage.TRANSFORM;
        }

        @Override
        public List<Stage> stages() {
            return List.of(Stage.TRANSFORM, Stage.GUARD, Stage.AUTHORIZE, Stage.LIMIT, Stage.VALIDATE);
        }

        @Override
        public Tag read(ConfigNode node) {
            ConfigNode set =
                    node.field("set", "what is left in which variable; 1 to 32").form("`var.name` and value");
            ConfigNode record = node.field("record", "those that the traffic record tells, as `labels`")
                    .form("names of variables that are set here");
            var recorded = new HashSet<String>(record.list(ConfigNode::requiredText));
            var variables = new ArrayList<Variable>();
            set.namesLike(Variables.FORM)
                    .map(value -> Template.readWithBody(value, TemplatePlace.VALUE))
                    .forEach((name, value) -> {
                        if (Variables.isName(name))
                            variables.add(new Variable(Variables.bare(name), value, recorded.contains(name)));
                        else if (set.field(name).isPresent())
                            set.field(name).problem("expected a name such as \"var.tenant\", got \"" + name + "\"");
                        recorded.remove(name);
                    });
            int size = set.names().size();
            set.extent(1, MOST);
            if (size == 0 || size > MOST) set.problem("expected 1 to " + MOST + " variables, got " + size);
            for (String unknown : recorded)
                if (!unknown.isEmpty()) record.problem("expected variables that are set here, got \"" + unknown + "\"");
            return new Tag(variables);
        }
    }
}
