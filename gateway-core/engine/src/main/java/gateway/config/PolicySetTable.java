package gateway.config;

import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.json.Suggestion;
import gateway.policy.PolicyDefinition;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The policy sets of one snapshot. Each is read when it is first asked for, and taken over from the snapshot before
/// when neither its text nor any set that it uses has changed. Belongs to one thread until all are read.
public final class PolicySetTable implements PolicySets {
    public static final PolicySetTable EMPTY = new PolicySetTable(Map.of(), PolicyRegistry.of(List.of()), 0);

    private static final int DEEPEST = 64; // sets that use sets: each takes a piece of the stack
    private static final int MOST_POLICIES = 1000;

    private final Map<String, String> texts;
    private final PolicyRegistry registry;
    private final Map<String, Optional<PolicySet>> sets = new HashMap<>(); // empty: has problems
    private final LinkedHashSet<String> reading = new LinkedHashSet<>();
    private final List<ConfigProblem> problems = new ArrayList<>();
    private final long mostCost;
    private long cost;
    private Optional<GlobalPolicies> global = Optional.of(GlobalPolicies.NONE); // empty: has problems

    private PolicySetTable(Map<String, String> texts, PolicyRegistry registry, long mostCost) {
        this.texts = texts;
        this.registry = registry;
        this.mostCost = mostCost;
    }

    /// Reads `texts` by id, in order of ids, then the global policies.
    static PolicySetTable read(
            Map<String, String> texts,
            Optional<String> global,
            PolicySetTable previous,
            PolicyRegistry registry,
            long mostCost) {
        var table = new PolicySetTable(new TreeMap<>(texts), registry, mostCost);
        for (String id : table.texts.keySet()) table.set(id, previous);
        if (global.isPresent()) table.readGlobal(global.get(), previous);
        return table;
    }

    private void readGlobal(String source, PolicySetTable previous) {
        global = previous.global.filter(before ->
                before.source().equals(source) && before.uses().stream().allMatch(this::has));
        if (global.isEmpty()) {
            try {
                ConfigNode node = ConfigNode.parse(source, DocumentId.GLOBAL.toString());
                global = Optional.of(GlobalPolicies.read(registry, new UsedSets(this), source, node));
            } catch (InvalidConfigException e) {
                addProblems(DocumentId.GLOBAL, e);
            }
        }
        cost += global.map(GlobalPolicies::cost).orElse(0L);
        if (cost <= mostCost) return;
        global = Optional.empty();
        problems.add(new ConfigProblem(DocumentId.GLOBAL.pointer(), tooCostly(cost)));
    }

    /// What is wrong with sets and the global policies, under `/policy-sets/<id>` and `/global`.
    public List<ConfigProblem> problems() {
        return problems;
    }

    /// Those without problems, in no order.
    public List<PolicySet> all() {
        return sets.values().stream().flatMap(Optional::stream).toList();
    }

    /// What all sets cost beyond their texts.
    public long cost() {
        return cost;
    }

    @Override
    public Found find(String id) {
        Optional<PolicySet> set = sets.get(id);
        if (set == null) return new Found.Missing("unknown policy set \"" + id + "\"" + suggestion(id));
        return set.<Found>map(Found.Usable::new)
                .orElseGet(() -> new Found.Missing("the policy set \"" + id + "\" has problems"));
    }

    @Override
    public Optional<GlobalPolicies> global() {
        return global;
    }

    /// Whether `policies`, read for another snapshot, are those of this one.
    @SuppressWarnings("ReferenceEquality") // one object stands for one text and for all sets that it uses
    public boolean has(GlobalPolicies policies) {
        return global.isPresent() && global.get() == policies;
    }

    /// Whether `set`, read for another snapshot, is what this one has by its name.
    @SuppressWarnings("ReferenceEquality") // one object stands for one text of a set and of all that it uses
    public boolean has(PolicySet set) {
        Optional<PolicySet> found = sets.get(set.id());
        return found != null && found.isPresent() && found.get() == set;
    }

    private Found find(String id, PolicySetTable previous) {
        if (texts.containsKey(id) && !sets.containsKey(id)) {
            if (reading.contains(id)) return new Found.Missing("a circle of policy sets: " + circle(id));
            if (reading.size() == DEEPEST) return new Found.Missing("more than " + DEEPEST + " policy sets deep");
            set(id, previous);
        }
        return find(id);
    }

    private void set(String id, PolicySetTable previous) {
        if (sets.containsKey(id)) return;
        reading.add(id);
        Optional<PolicySet> set = reused(id, previous).or(() -> read(id, previous));
        reading.remove(id);
        sets.put(id, set);
        cost += set.map(PolicySet::cost).orElse(0L);
    }

    private Optional<PolicySet> reused(String id, PolicySetTable previous) {
        Optional<PolicySet> before = previous.sets.getOrDefault(id, Optional.empty());
        if (before.isEmpty() || !before.get().source().equals(texts.get(id))) return Optional.empty();
        for (PolicySet used : before.get().uses()) {
            find(used.id(), previous);
            if (!has(used)) return Optional.empty();
        }
        return before;
    }

    private Optional<PolicySet> read(String id, PolicySetTable previous) {
        var document = new DocumentId(DocumentKind.POLICY_SETS, id);
        try {
            String source = texts.getOrDefault(id, "");
            ConfigNode node = ConfigNode.parse(source, document.toString());
            return Optional.of(read(id, source, node, asked -> find(asked, previous)));
        } catch (InvalidConfigException e) {
            addProblems(document, e);
            return Optional.empty();
        }
    }

    private void addProblems(DocumentId document, InvalidConfigException e) {
        for (ConfigProblem each : e.problems()) {
            problems.add(new ConfigProblem(document.pointer() + each.pointer(), each.message()));
        }
    }

    private String tooCostly(long sum) {
        return "expected at most " + mostCost + " characters and instructions in the regular expressions"
                + " of all definitions, got " + sum;
    }

    /// The policies of the set at `node`, its own and those that it uses.
    static List<PolicyDefinition> readFields(String id, ConfigNode node, PolicyRegistry registry, PolicySets others) {
        node.requireObject();
        node.field("$schema", "of this file, for editors").optionalText();
        String given = DefinitionReader.readId(node.field("id", "by which it is used"));
        if (!given.isEmpty() && !given.equals(id)) {
            node.field("id").problem("expected \"" + id + "\", got \"" + given + "\"");
        }
        node.field("name", "for people").unlessGiven("the id").optionalText();
        var policies = PoliciesReader.ofSet(registry, others, id).read(node.field("policies", "in order"));
        node.refuseUnknownFields();
        return policies;
    }

    private PolicySet read(String id, String source, ConfigNode node, PolicySets others) {
        var used = new UsedSets(others);
        List<PolicyDefinition> policies = readFields(id, node, registry, used);
        if (policies.size() > MOST_POLICIES) {
            node.field("policies")
                    .problem("expected at most " + MOST_POLICIES + " policies, those of used sets among them, got "
                            + policies.size());
        }
        if (cost + node.cost() > mostCost) {
            node.field("policies").problem(tooCostly(cost + node.cost()));
        }
        node.throwIfInvalid();
        return new PolicySet(
                id, node.field("name").text(id), source, policies, used.found(), References.of(node), node.cost());
    }

    private String circle(String id) {
        var path = new ArrayList<>(reading);
        path.add(id);
        return String.join(" uses ", path.subList(path.indexOf(id), path.size()));
    }

    private String suggestion(String id) {
        return Suggestion.nearest(id, texts.keySet())
                .map(near -> "; did you mean \"" + near + "\"?")
                .orElse("");
    }
}
