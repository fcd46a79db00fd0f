package gateway.policies.standard;

import gateway.json.ConfigNode;
import gateway.policy.KnownValues;
import gateway.policy.Template;
import gateway.policy.TemplatePlace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/// How long answers of a service are remembered, and what one is found by.
///
/// @param keep for which one is good
/// @param stale how long it goes on while the service gives none
/// @param key whose values make a call the same as another
/// @param entries at most
record AnswerMemory(Duration keep, Duration stale, List<Template> key, int entries) {
    private static final Duration LONGEST = Duration.ofDays(1);
    private static final int MOST_PARTS = 16;

    AnswerMemory {
        key = List.copyOf(key);
    }

    /// @param used placeholders of all that is sent: each has to count, else one caller gets the answer of another
    static Optional<AnswerMemory> read(ConfigNode node, List<String> used) {
        if (!node.expectObject()) return Optional.empty();
        var missing = new LinkedHashSet<>(used); // what differs with every request would find nothing
        missing.removeAll(KnownValues.OF_NOBODY);
        ConfigNode keyNode = node.field(
                        "key", "whose values make a call the same as another; 1 to 16 texts with placeholders")
                .unlessGiven(
                        "all placeholders of `url`, `headers` and `body` but `{request.id}`, `{time.unix}` and `{random.uuid}`");
        List<Template> key = new ArrayList<>(keyNode.list(each -> Template.read(each, TemplatePlace.VALUE)));
        if (keyNode.isPresent()) {
            key.forEach(each -> missing.removeAll(each.placeholders()));
            if (!missing.isEmpty())
                keyNode.problem("expected every placeholder that the call uses, since its answer may be another's"
                        + " else; missing {" + String.join("}, {", missing) + '}');
            keyNode.extent(1, MOST_PARTS);
            if (key.isEmpty() || key.size() > MOST_PARTS)
                keyNode.problem("expected 1 to " + MOST_PARTS + " texts, got " + key.size());
        } else {
            missing.forEach(each -> key.add(Template.read('{' + each + '}', keyNode, TemplatePlace.VALUE)));
        }
        var memory = new AnswerMemory(
                node.field("for", "how long an answer is good").duration(Duration.ofSeconds(1), LONGEST),
                node.field("stale", "how long it goes on after that while the service gives none")
                        .duration(Duration.ZERO, LONGEST, Duration.ZERO),
                key,
                (int) node.field("entries", "that are kept at most; they take 16 MiB at most in all")
                        .integer(1, 100_000, 10_000));
        node.refuseUnknownFields();
        return Optional.of(memory);
    }
}
