package gateway.config;

import gateway.config.SplitDefinition.Branch;
import gateway.json.ConfigNode;
import gateway.policy.Condition;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Reads the `split` of an upstream.
final class SplitReader {
    /// What the upstream's own targets and those of its mirror are called.
    private static final Set<String> TAKEN = Set.of("main", "mirror");

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final int MOST_BRANCHES = 16;
    private static final String NOT_TAKEN = "{\"not\": {\"enum\": [\"main\", \"mirror\"]}}";
    private static final String AGE_OF_A_COOKIE = """
            {"if": {"required": ["cookieAge"], "properties": {"cookieAge": {"not": {"type": "null"}}}},
             "then": {"required": ["stickBy"], "properties": {"stickBy": {"type": "string", "pattern": "^cookie:"}}}}
            """;
    private static final String NOT_OF_THE_BODY =
            "{\"properties\": {\"when\": {\"properties\": {\"body\": {\"type\": \"null\"}}}}}";

    private SplitReader() {}

    static SplitDefinition read(ConfigNode node, UpstreamReader targets) {
        Set<String> names = new HashSet<>(TAKEN);
        var field = node.field("branches", "1 to 16").extent(1, MOST_BRANCHES);
        List<Branch> branches = field.list(branch -> readBranch(branch, names, targets));
        if (branches.size() > MOST_BRANCHES
                || (branches.isEmpty()
                        && !field.json().filter(json -> !json.isArray()).isPresent()))
            field.problem("expected 1 to " + MOST_BRANCHES + " branches, got " + branches.size());
        int percent = branches.stream().mapToInt(Branch::percent).sum();
        if (percent > 100) field.problem("expected percentages of 100 or less in all, got " + percent);
        var stickBy = node.field("stickBy", "what keeps a client on its branch")
                .form("`ip`, `key`, `header:<name>`, `cookie:<name>`");
        node.obeys(AGE_OF_A_COOKIE);
        Optional<RequestTrait> sticky =
                stickBy.isPresent() ? Optional.of(RequestTrait.read(stickBy)) : Optional.empty();
        var cookieAge = node.field("cookieAge", "how long the cookie keeps it");
        if (cookieAge.isPresent()
                && sticky.filter(by -> by.kind() == RequestTrait.Kind.COOKIE).isEmpty())
            cookieAge.problem("expected nothing, since \"stickBy\" names no cookie");
        return new SplitDefinition(
                branches, sticky, cookieAge.duration(Duration.ofSeconds(1), Duration.ofDays(400), Duration.ofDays(30)));
    }

    private static Branch readBranch(ConfigNode node, Set<String> names, UpstreamReader targets) {
        node.requireObject();
        var name = node.field("name", "of the branch").like(NAME).obeys(NOT_TAKEN);
        String text = name.requiredText();
        if (!text.isEmpty() && !NAME.matcher(text).matches())
            name.problem("expected 1 to 64 letters, digits, '.', '_' or '-', got \"" + text + "\"");
        if (!text.isEmpty() && !names.add(text))
            name.problem("expected a name of its own, got \"" + text + "\", which is taken");
        var when = node.field("when", "requests that go there");
        if (when.isPresent()) when.named("Condition", here -> ConditionReader.read(here, targets.conditions()));
        Optional<Condition> condition =
                when.isPresent() ? Optional.of(ConditionReader.read(when, targets.conditions())) : Optional.empty();
        if (condition.filter(Condition::readsBody).isPresent())
            when.problem("expected nothing about the body, which has streamed past; the policy rewrite may choose a"
                    + " branch by it");
        var branch = new Branch(
                text,
                (int) node.field("percent", "of the other requests that go there")
                        .integer(0, 100, 0),
                condition,
                targets.readTargets(node.field("targets", "of the branch, 1 to 256")));
        if (branch.when().isEmpty() && !node.field("percent").isPresent())
            node.problem("expected \"percent\", \"when\" or both, got neither");
        node.some("percent", "when").obeys(NOT_OF_THE_BODY);
        node.refuseUnknownFields();
        return branch;
    }
}
