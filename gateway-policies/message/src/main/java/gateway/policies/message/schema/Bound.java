package gateway.policies.message.schema;

import java.util.OptionalInt;
import tools.jackson.databind.JsonNode;

/// A whole number of a schema, such as `maxItems`.
final class Bound {
    private Bound() {}

    static OptionalInt of(SchemaSite site, String keyword, SchemaCompiler compiler) {
        JsonNode written = site.tree().path(keyword);
        if (written.isMissingNode()) return OptionalInt.empty();
        boolean whole = written.isNumber()
                && JsonValues.isWhole(written, SchemaDraft.DRAFT_7)
                && written.decimalValue().signum() >= 0;
        if (!whole) compiler.problem(site.pointer() + '/' + keyword, "expected a whole number of 0 or more");
        double value = whole ? written.doubleValue() : 0;
        return OptionalInt.of((int) Math.min(Integer.MAX_VALUE, value));
    }
}
