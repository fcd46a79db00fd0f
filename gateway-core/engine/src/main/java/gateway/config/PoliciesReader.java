package gateway.config;

import gateway.http.Exchange;
import gateway.json.ConfigNode;
import gateway.json.Suggestion;
import gateway.policy.AnswerCondition;
import gateway.policy.Condition;
import gateway.policy.Dependency;
import gateway.policy.NestedPolicies;
import gateway.policy.OnOutage;
import gateway.policy.PolicyDefinition;
import gateway.policy.PolicyLayer;
import gateway.policy.PolicyMode;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Stage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/// Reads lists of policies: entries of a type, and `{"use": "gold"}` for all those of a policy set in its place.
final class PoliciesReader {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    /// By these names facts are found that are no policy's own: one so called would put its own in their place.
    private static final List<String> COMMON_FACTS = List.of(Exchange.CLAIMS, Exchange.VARIABLES, Exchange.ERROR);

    private final PolicyRegistry registry;
    private final PolicySets sets;
    private final String document;
    private final boolean ofSet;

    /// Whom the counters of an entry count for.
    private enum Scope {
        API,
        SHARED
    }

    private PoliciesReader(PolicyRegistry registry, PolicySets sets, String document, boolean ofSet) {
        this.registry = registry;
        this.sets = sets;
        this.document = document;
        this.ofSet = ofSet;
    }

    static PoliciesReader ofApi(PolicyRegistry registry, PolicySets sets) {
        return new PoliciesReader(registry, sets, "", false);
    }

    /// Entries of sets may count for all APIs together.
    static PoliciesReader ofSet(PolicyRegistry registry, PolicySets sets, String id) {
        return new PoliciesReader(registry, sets, "set:" + id + "/", true);
    }

    /// Those of the global policies, each layer by its field; entries count for each API apart, as those of sets.
    static Map<PolicyLayer, List<PolicyDefinition>> readGlobal(
            PolicyRegistry registry, PolicySets sets, ConfigNode node) {
        var reader = new PoliciesReader(registry, sets, "global/", true);
        var entries = reader.new Entries("global/", true); // one for both: their steps are unique among all
        var layers = new EnumMap<PolicyLayer, List<PolicyDefinition>>(PolicyLayer.class);
        layers.put(
                PolicyLayer.GLOBAL_BEFORE,
                PolicyLists.joined(node.field("before", "in each stage before those of APIs")
                        .list(entries::read)));
        layers.put(
                PolicyLayer.GLOBAL_AFTER,
                PolicyLists.joined(node.field("after", "in each stage behind those of APIs")
                        .list(entries::read)));
        layers.replaceAll((layer, policies) -> PolicyLists.withBrought(policies).stream()
                .map(policy -> policy.in(layer))
                .toList());
        return layers;
    }

    /// The policies of a whole document.
    List<PolicyDefinition> read(ConfigNode node) {
        return read(node, "", true);
    }

    /// @param prefix of the steps' names: they name counters, so they are unique within an API
    /// @param preflights whether policies that answer preflights may be among them
    List<PolicyDefinition> read(ConfigNode node, String prefix, boolean preflights) {
        var entries = new Entries(document + prefix, preflights);
        return PolicyLists.withBrought(PolicyLists.joined(node.list(entries::read)));
    }

    /// One list while it is read.
    private final class Entries {
        private final String prefix;
        private final boolean preflights;
        private final Map<String, Integer> ordinals = new HashMap<>();
        private final Set<String> steps = new HashSet<>();

        Entries(String prefix, boolean preflights) {
            this.prefix = prefix;
            this.preflights = preflights;
        }

        List<PolicyDefinition> read(ConfigNode node) {
            node.named(ofSet ? "SetPolicy" : "Policy", this::describe);
            if (!node.requireObject()) return List.of();
            return node.field("use").isPresent() ? use(node) : policy(node);
        }

        private void describe(ConfigNode node) {
            node.alternative("use", this::use);
            for (String name : registry.names()) {
                registry.type(name).ifPresent(type -> node.alternative(name, here -> policy(here, type)));
            }
        }

        private List<PolicyDefinition> use(ConfigNode node) {
            ConfigNode place = node.field("use", "id of a policy set, whose policies stand here");
            String id = place.requiredText();
            node.refuseUnknownFields();
            if (id.isEmpty()) return List.of();
            return switch (sets.find(id)) {
                case PolicySets.Found.Missing(var why) -> {
                    place.problem(why);
                    yield List.of();
                }
                case PolicySets.Found.Usable(var set) -> used(set, place);
            };
        }

        private List<PolicyDefinition> used(PolicySet set, ConfigNode place) {
            var found = new ArrayList<PolicyDefinition>(set.policies().size());
            for (PolicyDefinition policy : set.policies()) {
                if (!preflights && policy.spec().answersPreflight()) refusePreflights(place, policy.step());
                found.add(policy.at(place.pointer()));
            }
            return found;
        }

        private List<PolicyDefinition> policy(ConfigNode node) {
            var typeField = node.field("type");
            String name = typeField.requiredText();
            if (name.isEmpty()) return List.of();
            var type = registry.type(name);
            if (type.isEmpty()) {
                typeField.problem("unknown policy type \"" + name + "\"" + suggestion(name));
                return List.of();
            }
            return node.attempt(() -> List.of(policy(node, type.get())), List.of());
        }

        private PolicyDefinition policy(ConfigNode node, PolicyType type) {
            node.field("type", "kind of the policy").only(List.of(type.name())).requiredText();
            node.field("when", "which requests and answers it applies to").named("When", this::when);
            Stage stage = stage(node, type);
            AnswerCondition answers =
                    AnswerConditionReader.read(node.field("when").field("answer"));
            Condition when = ConditionReader.read(node.field("when"), registry.conditions());
            OnOutage onOutage = onOutage(node, type.outages());
            String step = prefix
                    + step(
                            node.field("id", "names its counters, meters and records")
                                    .unlessGiven("the type"),
                            type.name());
            boolean shared = ofSet
                    && node.field("scope", "whether it counts for each API apart or for all together")
                                    .choice(Scope.API)
                            == Scope.SHARED;
            var spec = answering(node, () -> type.read(node, new Within(type, step)));
            if (shared && !spec.dependencies().contains(Dependency.Store.COUNTERS)) {
                node.field("scope").problem("expected only with policies that count, not with " + type.name());
            }
            if (!answers.equals(AnswerCondition.ALWAYS) && spec.dependencies().contains(Dependency.Store.COUNTERS)) {
                ConfigNode place = node.field("when").field("answer");
                place.problem("expected nothing, since " + type.name() + " counts before there is an answer");
            }
            PolicyMode mode = mode(node.field("mode", "what becomes of what it refuses"), spec, type.name());
            node.refuseUnknownFields();
            if (!preflights && spec.answersPreflight()) refusePreflights(node.field("type"), type.name());
            return new PolicyDefinition(
                    step,
                    type.name(),
                    stage,
                    spec,
                    when,
                    answers,
                    onOutage,
                    mode,
                    shared,
                    PolicyLayer.API,
                    node.pointer());
        }

        /// What stands within a policy of `holder`, whose step is `around`.
        private final class Within implements NestedPolicies {
            private final PolicyType holder;
            private final String around;

            Within(PolicyType holder, String around) {
                this.holder = holder;
                this.around = around;
            }

            @Override
            public List<PolicyDefinition> read(ConfigNode list, Stage stage) {
                List<PolicyType> possible = registry.names().stream()
                        .flatMap(name -> registry.type(name).stream())
                        .filter(type -> type.stage() == stage && !type.name().equals(holder.name()))
                        .toList();
                var inner = new Entries(around + '/', false);
                return PolicyLists.joined(list.list(node -> inner.nested(node, stage, possible)));
            }

            @Override
            public Condition condition(ConfigNode when) {
                if (!when.isPresent()) return Condition.ALWAYS;
                when.named("Condition", here -> ConditionReader.read(here, registry.conditions()));
                return ConditionReader.read(when, registry.conditions());
            }
        }

        private List<PolicyDefinition> nested(ConfigNode node, Stage stage, List<PolicyType> possible) {
            node.named(
                    "Nested" + ConfigNode.word(stage),
                    here -> possible.forEach(type -> here.alternative(type.name(), each -> nested(each, type))));
            if (!node.requireObject()) return List.of();
            String name = node.field("type").requiredText();
            for (PolicyType type : possible) if (type.name().equals(name)) return List.of(nested(node, type));
            if (!name.isEmpty()) {
                List<String> names = possible.stream().map(PolicyType::name).toList();
                node.field("type").problem("expected one of " + String.join(", ", names) + ", got \"" + name + "\"");
            }
            return List.of();
        }

        private PolicyDefinition nested(ConfigNode node, PolicyType type) {
            node.field("type", "kind of the policy").only(List.of(type.name())).requiredText();
            ConfigNode id = node.field("id", "names its meters and records").unlessGiven("the type");
            String step = prefix + step(id, type.name());
            var spec = answering(node, () -> type.read(node));
            node.refuseUnknownFields();
            return new PolicyDefinition(step, type.name(), type.stage(), spec, node.pointer());
        }

        private void when(ConfigNode node) {
            AnswerConditionReader.read(node.field("answer", "which answers it sees on their way back"));
            ConditionReader.read(node, registry.conditions());
        }

        /// The id, else the type and which one of that type it is in its list.
        private String step(ConfigNode id, String type) {
            id.like(ID);
            int ordinal = ordinals.merge(type, 1, Integer::sum);
            String step = ordinal == 1 ? type : type + "-" + ordinal;
            if (id.isPresent()) step = id.requiredText();
            if (id.isPresent() && !ID.matcher(step).matches()) {
                id.problem("expected 1 to 64 letters, digits, '.', '_' or '-', got \"" + step + "\"");
            } else if (COMMON_FACTS.contains(step)) {
                id.problem("expected none of " + String.join(", ", COMMON_FACTS)
                        + ", by which facts of all policies are found, got \"" + step + "\"");
            } else if (!steps.add(step)) {
                id.problem("another policy of this list is called \"" + step + "\"");
            }
            return step;
        }
    }

    /// A field that only those know who may stand in several.
    private static Stage stage(ConfigNode node, PolicyType type) {
        List<Stage> possible = type.stages();
        if (possible.size() == 1) return type.stage();
        ConfigNode field = node.field("stage", "when in a request it runs")
                .only(possible.stream().map(ConfigNode::word).toList());
        Stage chosen = field.choice(type.stage());
        if (possible.contains(chosen)) return chosen;
        field.problem("expected " + alternatives(possible) + ", got " + quoted(chosen));
        return type.stage();
    }

    /// A field that only those know who can go on without what they depend on.
    private static OnOutage onOutage(ConfigNode node, Set<OnOutage> possible) {
        if (possible.isEmpty()) return OnOutage.DENY;
        ConfigNode field = node.field(
                        "onOutage", "when what it depends on is away: 503, let pass, or count in this node's memory")
                .only(possible.stream().map(ConfigNode::word).sorted().toList());
        OnOutage chosen = field.choice(OnOutage.DENY);
        if (possible.contains(chosen)) return chosen;
        field.problem("expected " + alternatives(possible) + ", got " + quoted(chosen));
        return OnOutage.DENY;
    }

    /// What `reader` makes of `node`. Where it found nothing wrong it is asked once for all that it will be asked for
    /// while requests come: what cannot be answered is found here.
    private static PolicySpec answering(ConfigNode node, Supplier<PolicySpec> reader) {
        long before = node.problemCount();
        PolicySpec spec = Objects.requireNonNull(reader.get(), "read()");
        if (node.problemCount() != before) return spec;
        Objects.requireNonNull(spec.runsOn(), "runsOn()");
        Objects.requireNonNull(spec.bodyUse(), "bodyUse()");
        Objects.requireNonNull(spec.brings(), "brings()");
        Objects.requireNonNull(spec.dependencies(), "dependencies()");
        Objects.requireNonNull(spec.sideEffect(), "sideEffect()");
        Objects.requireNonNull(spec.credentials(), "credentials()");
        Objects.requireNonNull(spec.innerFields(), "innerFields()");
        Objects.requireNonNull(spec.branches(), "branches()");
        Objects.requireNonNull(spec.alternatives(), "alternatives()");
        spec.mayReport();
        spec.reportsRequests();
        spec.reportsAnswers();
        spec.answersPreflight();
        spec.decidesByPath();
        spec.waivesAuthentication();
        spec.opensMessages();
        return spec;
    }

    private static PolicyMode mode(ConfigNode field, PolicySpec spec, String type) {
        PolicyMode mode = field.choice(PolicyMode.ENFORCE);
        if (mode == PolicyMode.REPORT && !spec.mayReport()) {
            field.problem("expected \"enforce\", since this " + type + " does more than refuse");
        }
        return mode;
    }

    private static String alternatives(Collection<? extends Enum<?>> possible) {
        return String.join(
                " or ", possible.stream().map(PoliciesReader::quoted).sorted().toList());
    }

    private static String quoted(Enum<?> choice) {
        return '"' + ConfigNode.word(choice) + '"';
    }

    private static void refusePreflights(ConfigNode place, String name) {
        place.problem("expected " + name + " among the policies of the API, where preflights are answered");
    }

    private String suggestion(String name) {
        return Suggestion.nearest(name, registry.names())
                .map(near -> "; did you mean \"" + near + "\"?")
                .orElse("; known are " + String.join(", ", registry.names()));
    }
}
