package gateway.policies.message.schema;

import gateway.json.InvalidConfigException;
import tools.jackson.databind.JsonNode;

/// The schemas that lie in an OpenAPI document: each is compiled once, however many refer to it.
public final class SchemaSet {
    private final SchemaCompiler compiler;
    private final SchemaSite document;

    private SchemaSet(SchemaCompiler compiler, SchemaSite document) {
        this.compiler = compiler;
        this.document = document;
    }

    /// @param document within which references lead
    /// @param draft that its schemas are read by
    /// @param formats whether `format` is asserted
    public static SchemaSet of(SchemaDocument document, SchemaDraft draft, boolean formats) {
        var compiler = new SchemaCompiler(formats, true);
        return new SchemaSet(compiler, compiler.add(document, draft));
    }

    /// The schema `tree`, to be asked once all are complete.
    ///
    /// @param pointer to it in the document
    public CompiledSchema at(JsonNode tree, String pointer) {
        return compiler.embedded(document, tree, pointer);
    }

    /// Ends the compilation of all that were asked for.
    ///
    /// @throws InvalidConfigException with each thing wrong with them and with what they lead to
    public void complete() {
        compiler.complete(document);
    }
}
