package gateway.policies.message.schema;

import gateway.json.InvalidConfigException;
import gateway.policies.message.BoundReachedException;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// A schema ready to be asked, by many threads at once.
public final class CompiledSchema {
    private final Subschema root;

    CompiledSchema(Subschema root) {
        this.root = root;
    }

    /// @param main where evaluation begins
    /// @param others that it may refer to, besides itself
    /// @param formats whether `format` is asserted
    /// @throws InvalidConfigException with each thing wrong with them: a reference that leads nowhere, a keyword
    ///     of the wrong kind, a pattern that cannot be matched in linear time
    public static CompiledSchema of(SchemaDocument main, List<SchemaDocument> others, boolean formats) {
        return new SchemaCompiler(formats, false).compile(main, others);
    }

    /// What is wrong with `value`; nothing when it holds.
    ///
    /// @param effort evaluations of a schema at a place, and what else grows with the value, each for about as many
    /// @param most findings that are looked for
    /// @throws BoundReachedException when it takes more
    public List<Finding> findings(JsonNode value, long effort, int most) {
        return findings(value, SchemaUse.ANY, effort, most);
    }

    /// The same for what a request, or an answer, holds: some members are for one of them alone, where the schema is
    /// OpenAPI's.
    public List<Finding> findings(JsonNode value, SchemaUse use, long effort, int most) {
        var run = new Evaluation(use, effort, most);
        return run.holds(root, value, Marks.NONE) ? List.of() : List.copyOf(run.findings());
    }
}
