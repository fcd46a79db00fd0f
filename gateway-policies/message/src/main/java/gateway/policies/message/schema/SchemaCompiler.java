package gateway.policies.message.schema;

import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Makes checks of schemas. Each schema is compiled once, however many refer to it, and those that it leads to are
/// compiled after it rather than within, so that no chain of references is too long.
final class SchemaCompiler {
    private static final Check NOTHING = (_, _, run) -> run.fails("false", "nothing here");

    private final boolean formats;
    private final boolean openApi;
    private final List<ConfigProblem> problems = new ArrayList<>();
    private final SchemaIndex index = new SchemaIndex(problems);
    private final IdentityHashMap<JsonNode, Subschema> compiled = new IdentityHashMap<>();
    private final ArrayDeque<Runnable> open = new ArrayDeque<>();
    private final SchemaPatterns patterns = new SchemaPatterns();

    /// @param formats whether `format` is asserted
    /// @param openApi whether keywords count that OpenAPI has added
    SchemaCompiler(boolean formats, boolean openApi) {
        this.formats = formats;
        this.openApi = openApi;
    }

    CompiledSchema compile(SchemaDocument main, List<SchemaDocument> others) {
        SchemaSite root = index.add(main, SchemaDraft.DRAFT_2020_12);
        for (SchemaDocument each : others) index.add(each, root.resource().draft);
        Subschema schema = subschema(root);
        complete(root);
        return new CompiledSchema(schema);
    }

    /// Adds a document of something else, in which schemas lie.
    ///
    /// @return where it begins
    SchemaSite add(SchemaDocument document, SchemaDraft draft) {
        return index.add(document, draft);
    }

    /// One of these schemas.
    ///
    /// @param pointer to it in its document
    CompiledSchema embedded(SchemaSite document, JsonNode tree, String pointer) {
        return new CompiledSchema(subschema(index.embedded(document, tree, pointer)));
    }

    /// Compiles what is left to be compiled.
    ///
    /// @throws InvalidConfigException with each thing wrong
    void complete(SchemaSite root) {
        for (SchemaResource each : List.copyOf(index.resources())) dynamicTargets(each, root);
        while (!open.isEmpty()) open.remove().run();
        if (!problems.isEmpty()) throw new InvalidConfigException(problems);
    }

    private void dynamicTargets(SchemaResource resource, SchemaSite from) {
        resource.dynamicAnchors.forEach(
                (name, tree) -> resource.dynamicTargets.put(name, subschema(index.site(tree, from))));
        if (resource.recursive) resource.dynamicTargets.put("", subschema(index.site(resource.root, from)));
    }

    boolean assertsFormats() {
        return formats;
    }

    boolean openApi() {
        return openApi;
    }

    /// The schema that a reference from `site` leads to, not compiled.
    Optional<SchemaSite> lookedUp(SchemaSite site, String reference) {
        return index.find(site.resource(), reference);
    }

    SchemaPatterns patterns() {
        return patterns;
    }

    /// The schema at `site`, compiled now or later.
    Subschema subschema(SchemaSite site) {
        Subschema known = compiled.get(site.tree());
        if (known != null && site.tree().isObject()) return known;
        JsonNode tree = site.tree();
        var made = new Subschema(site.resource(), tree.has("unevaluatedProperties") || tree.has("unevaluatedItems"));
        if (tree.isObject()) {
            compiled.put(tree, made);
            open.add(() -> made.checks(checks(site)));
        } else if (!tree.isBoolean()) {
            problem(site.pointer(), "expected a schema: an object or a boolean");
        } else if (!tree.booleanValue()) {
            made.checks(new Check[] {NOTHING});
        }
        return made;
    }

    /// The schema below the keyword of one.
    Subschema below(SchemaSite site, JsonNode tree, String... steps) {
        return subschema(index.site(tree, site, steps));
    }

    List<Subschema> listed(SchemaSite site, String keyword) {
        JsonNode list = site.tree().path(keyword);
        if (!list.isArray()) problem(site.pointer() + '/' + keyword, "expected an array of schemas");
        var all = new ArrayList<Subschema>();
        for (int i = 0; i < list.size(); i++) all.add(below(site, list.get(i), keyword, Integer.toString(i)));
        return List.copyOf(all);
    }

    Map<String, Subschema> named(SchemaSite site, String keyword) {
        JsonNode map = site.tree().path(keyword);
        if (!map.isObject()) problem(site.pointer() + '/' + keyword, "expected an object with schemas");
        var all = new LinkedHashMap<String, Subschema>();
        map.properties().forEach(each -> all.put(each.getKey(), below(site, each.getValue(), keyword, each.getKey())));
        return all;
    }

    /// What `$ref` of a schema leads to.
    Subschema referred(SchemaSite site, String keyword) {
        JsonNode reference = site.tree().get(keyword);
        if (!reference.isString()) {
            problem(site.pointer() + '/' + keyword, "expected a URI");
            return new Subschema(site.resource(), false);
        }
        return index.find(site.resource(), reference.stringValue())
                .map(this::subschema)
                .orElseGet(() -> {
                    problem(
                            site.pointer() + '/' + keyword,
                            "expected a schema of this document" + (openApi ? "" : " or of `documents`") + ", got \""
                                    + reference.stringValue() + "\"");
                    return new Subschema(site.resource(), false);
                });
    }

    /// Whether what `$dynamicRef` leads to at first is called so by `$dynamicAnchor`.
    boolean isDynamic(SchemaSite site, String anchor) {
        return index.find(site.resource(), site.tree().get("$dynamicRef").stringValue())
                .filter(found -> found.resource().dynamicAnchors.containsKey(anchor))
                .isPresent();
    }

    void problem(String pointer, String message) {
        problems.add(new ConfigProblem(pointer, message));
    }

    private Check[] checks(SchemaSite site) {
        var checks = new ArrayList<Check>();
        SchemaDraft draft = site.resource().draft;
        if (draft.refersAlone() && site.tree().has("$ref")) {
            ReferenceKeywords.add(site, this, checks);
        } else {
            ValueKeywords.add(site, this, checks);
            if (openApi) OpenApiKeywords.add(site, this, checks);
            TextKeywords.add(site, this, checks);
            NumberKeywords.add(site, this, checks);
            ReferenceKeywords.add(site, this, checks);
            LogicKeywords.add(site, this, checks);
            ArrayKeywords.add(site, this, checks);
            ObjectKeywords.add(site, this, checks);
            UnevaluatedKeywords.add(site, this, checks); // asks what all others have evaluated
        }
        return checks.toArray(Check[]::new);
    }
}
