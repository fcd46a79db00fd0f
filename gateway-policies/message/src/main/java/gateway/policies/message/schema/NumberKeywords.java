package gateway.policies.message.schema;

import gateway.policies.message.BoundReachedException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Bounds of numbers and `multipleOf`.
final class NumberKeywords {
    private static final long WIDEST = 400; // digits of a quotient: those of any double

    private NumberKeywords() {}

    static void add(SchemaSite site, SchemaCompiler compiler, List<Check> checks) {
        JsonNode tree = site.tree();
        boolean old = site.resource().draft.isOld();
        boolean above = old && tree.path("exclusiveMinimum").asBoolean(false);
        boolean below = old && tree.path("exclusiveMaximum").asBoolean(false);
        number(site, "minimum", compiler).ifPresent(bound -> checks.add(least("minimum", bound, !above)));
        number(site, "maximum", compiler).ifPresent(bound -> checks.add(most("maximum", bound, !below)));
        if (!old) {
            number(site, "exclusiveMinimum", compiler)
                    .ifPresent(bound -> checks.add(least("exclusiveMinimum", bound, false)));
            number(site, "exclusiveMaximum", compiler)
                    .ifPresent(bound -> checks.add(most("exclusiveMaximum", bound, false)));
        }
        number(site, "multipleOf", compiler).ifPresent(step -> {
            if (step.signum() <= 0) compiler.problem(site.pointer() + "/multipleOf", "expected more than 0");
            else checks.add(multipleOf(step));
        });
    }

    private static Optional<BigDecimal> number(SchemaSite site, String keyword, SchemaCompiler compiler) {
        JsonNode written = site.tree().path(keyword);
        if (written.isMissingNode()) return Optional.empty();
        if (!written.isNumber()) {
            compiler.problem(site.pointer() + '/' + keyword, "expected a number");
            return Optional.empty();
        }
        return Optional.of(written.decimalValue());
    }

    private static Check least(String keyword, BigDecimal bound, boolean itself) {
        String expected = (itself ? "at least " : "more than ") + bound;
        return (node, _, run) -> {
            if (!node.isNumber()) return true;
            int order = node.decimalValue().compareTo(bound);
            return order > 0 || (itself && order == 0) || run.fails(keyword, expected);
        };
    }

    private static Check most(String keyword, BigDecimal bound, boolean itself) {
        String expected = (itself ? "at most " : "less than ") + bound;
        return (node, _, run) -> {
            if (!node.isNumber()) return true;
            int order = node.decimalValue().compareTo(bound);
            return order < 0 || (itself && order == 0) || run.fails(keyword, expected);
        };
    }

    /// Dividing by much less takes as many digits as lie between the two.
    private static Check multipleOf(BigDecimal step) {
        String expected = "a multiple of " + step;
        return (node, _, run) -> {
            if (!node.isNumber() || node.decimalValue().signum() == 0) return true;
            BigDecimal number = node.decimalValue();
            if (magnitude(number) < magnitude(step) - 1) return run.fails("multipleOf", expected);
            if (magnitude(number) - magnitude(step) > WIDEST)
                throw new BoundReachedException("at most " + WIDEST + " digits between a number and its step");
            run.spend(8);
            return number.remainder(step).signum() == 0 || run.fails("multipleOf", expected);
        };
    }

    private static long magnitude(BigDecimal number) {
        return (long) number.precision() - number.scale();
    }
}
