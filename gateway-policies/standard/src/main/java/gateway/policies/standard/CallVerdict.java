package gateway.policies.standard;

import gateway.http.Problem;
import gateway.json.ConfigNode;
import gateway.json.TextCut;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/// How the answer to a call decides on a message.
///
/// @param allow the place in its JSON where `true` has to stand; empty: its status alone decides
/// @param deny statuses that refuse
/// @param reason the place in its JSON of what the client is told; empty: nothing of it
/// @param status of the refusal
record CallVerdict(Optional<JsonPointer> allow, Set<Integer> deny, Optional<JsonPointer> reason, int status) {
    private static final Pattern POINTER = Pattern.compile("(/[\\s\\S]*)?");
    private static final int LONGEST_REASON = 200;
    private static final List<Integer> USUAL = List.of(401, 403);

    CallVerdict {
        deny = Set.copyOf(deny);
    }

    static Optional<CallVerdict> read(ConfigNode node) {
        if (!node.expectObject()) return Optional.empty();
        ConfigNode denying =
                node.field("deny", "statuses that refuse; 1 to 100").unlessGiven("`401`, `403`");
        List<Integer> deny = denying.list(each -> (int) each.integer(300, 599));
        denying.extent(1, 100);
        if (denying.isPresent() && (deny.isEmpty() || deny.size() > 100))
            denying.problem("expected 1 to 100 statuses, got " + deny.size());
        var verdict = new CallVerdict(
                pointer(node.field("allow", "place in its JSON where `true` has to stand")
                        .unlessGiven("its status decides")),
                new TreeSet<>(denying.isPresent() ? deny : USUAL),
                pointer(node.field("reason", "place in its JSON of a text for the client")
                        .unlessGiven("nothing of it is told")),
                (int) node.field("status", "of the refusal").integer(400, 499, 403));
        node.refuseUnknownFields();
        return Optional.of(verdict);
    }

    static JsonPointer requiredPointer(ConfigNode node) {
        String text = node.form("JSON Pointer").like(POINTER).extent(0, 1_000).text();
        if (text.isEmpty() || (text.startsWith("/") && text.length() <= 1_000)) return JsonPointer.compile(text);
        node.expected("a JSON Pointer such as \"/result\"");
        return JsonPointer.empty();
    }

    private static Optional<JsonPointer> pointer(ConfigNode node) {
        JsonPointer pointer = requiredPointer(node);
        return node.isPresent() ? Optional.of(pointer) : Optional.empty();
    }

    boolean readsJson() {
        return allow.isPresent() || reason.isPresent();
    }

    /// What is said to a message that is not let pass.
    Optional<Problem> refusal(ServiceAnswer answer) {
        boolean refused = deny.contains(answer.status());
        if (!refused && allow.isPresent()) {
            JsonNode said = answer.json().at(allow.get());
            refused = !said.isBoolean() || !said.booleanValue();
        }
        return refused ? Optional.of(problem(answer)) : Optional.empty();
    }

    private Problem problem(ServiceAnswer answer) {
        String told = reason.map(answer.json()::at)
                .flatMap(JsonNode::stringValueOpt)
                .filter(text -> !text.isBlank())
                .orElse("This may not be done");
        return Problem.of("forbidden", status, "Forbidden", TextCut.of(told, LONGEST_REASON));
    }
}
