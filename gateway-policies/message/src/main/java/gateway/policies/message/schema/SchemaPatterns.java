package gateway.policies.message.schema;

import gateway.json.ConfigNode;
import gateway.json.Json;
import gateway.regex.Regex;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// The regular expressions of one set of schemas: written as ECMA-262 has them, matched in linear time, bounded
/// together.
final class SchemaPatterns {
    private static final int STEPS_FOR_A_UNIT = 16; // instructions of a program for a character

    private final ConfigNode all = ConfigNode.of(Json.mapper().createObjectNode());

    /// An expression and what it takes.
    record Pattern(Regex regex) {
        boolean isWithin(String text, Evaluation run) {
            run.spend(1 + (long) text.length() * regex.size() / STEPS_FOR_A_UNIT);
            return regex.isWithin(text);
        }
    }

    /// @param pointer where it stands
    Optional<Pattern> compile(JsonNode text, String pointer, SchemaCompiler compiler) {
        if (!text.isString()) {
            compiler.problem(pointer, "expected a regular expression");
            return Optional.empty();
        }
        String written = EcmaExpression.inRe2(text.stringValue());
        if (written.isEmpty()) return Optional.of(new Pattern(Regex.ANY));
        ConfigNode node = ConfigNode.of(Json.mapper().getNodeFactory().stringNode(written));
        Regex regex = Regex.read(node, false);
        node.problems().forEach(each -> compiler.problem(pointer, each.message()));
        if (all.addCost(node.cost()) > Regex.LARGEST_OF_DOCUMENT) {
            compiler.problem(
                    pointer,
                    "expected at most " + Regex.LARGEST_OF_DOCUMENT
                            + " characters and instructions in all regular expressions");
        }
        return Optional.of(new Pattern(regex));
    }
}
