package gateway.policies.message.schema;

import gateway.json.ConfigProblem;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import tools.jackson.databind.JsonNode;

/// All schemas of a set of documents, by URI, anchor and pointer. References lead to one of these or nowhere.
final class SchemaIndex {
    private static final Set<String> ONE = Set.of(
            "additionalItems",
            "additionalProperties",
            "contains",
            "contentSchema",
            "else",
            "if",
            "items",
            "not",
            "propertyNames",
            "then",
            "unevaluatedItems",
            "unevaluatedProperties");
    private static final Set<String> MANY = Set.of("allOf", "anyOf", "oneOf", "prefixItems", "items");
    private static final Set<String> NAMED =
            Set.of("$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties");

    private final Map<String, SchemaResource> byUri = new HashMap<>();
    private final IdentityHashMap<JsonNode, SchemaSite> sites = new IdentityHashMap<>();
    private final List<ConfigProblem> problems;

    /// @param problems to which is added what is wrong
    SchemaIndex(List<ConfigProblem> problems) {
        this.problems = problems;
    }

    /// @param draft that it is read by unless it says which
    /// @return where the document begins
    SchemaSite add(SchemaDocument document, SchemaDraft draft) {
        URI base = URI.create(document.uri());
        var outer = new SchemaResource(base, document.tree(), draft);
        var site = new SchemaSite(document.tree(), outer, document.pointer());
        if (!document.tree().isObject()) return site;
        SchemaSite root = opened(site, true);
        byUri.putIfAbsent(withoutFragment(base), root.resource());
        walk(root);
        return root;
    }

    /// Where a schema stands that lies in a document of something else.
    SchemaSite embedded(SchemaSite document, JsonNode tree, String pointer) {
        SchemaSite known = sites.get(tree);
        if (known != null) return known;
        var outer = new SchemaSite(tree, document.resource(), document.pointer() + pointer);
        if (!tree.isObject()) return outer;
        SchemaSite site = opened(outer, false);
        walk(site);
        return site;
    }

    Collection<SchemaResource> resources() {
        return byUri.values();
    }

    /// Where this schema stands, which lies in what was added.
    SchemaSite site(JsonNode tree, SchemaSite from, String... steps) {
        SchemaSite known = sites.get(tree);
        return known == null ? from.below(tree, from.resource(), steps) : known;
    }

    private void walk(SchemaSite root) {
        var open = new ArrayDeque<SchemaSite>();
        open.add(root);
        while (!open.isEmpty()) {
            SchemaSite site = open.remove();
            if (sites.putIfAbsent(site.tree(), site) != null) continue;
            names(site);
            forEachBelow(site, (child, steps) -> {
                if (child.isObject()) open.add(opened(site.below(child, site.resource(), steps), false));
            });
        }
    }

    private static void forEachBelow(SchemaSite site, BiConsumer<JsonNode, String[]> below) {
        if (refersAlone(site)) return;
        for (Map.Entry<String, JsonNode> each : site.tree().properties()) {
            String keyword = each.getKey();
            JsonNode value = each.getValue();
            if (value.isObject() && ONE.contains(keyword)) below.accept(value, new String[] {keyword});
            if (value.isArray() && MANY.contains(keyword)) {
                for (int i = 0; i < value.size(); i++) below.accept(value.get(i), new String[] {keyword, "" + i});
            }
            if (value.isObject() && NAMED.contains(keyword)) {
                value.properties().forEach(one -> below.accept(one.getValue(), new String[] {keyword, one.getKey()}));
            }
        }
    }

    /// Nothing beside `$ref` counts in the old drafts but what may be referred to.
    private static boolean refersAlone(SchemaSite site) {
        return site.resource().draft.refersAlone()
                && site.tree().path("$ref").isString()
                && !site.tree().has("definitions");
    }

    /// The same within its own resource when it is one.
    private SchemaSite opened(SchemaSite site, boolean isRoot) {
        JsonNode tree = site.tree();
        SchemaDraft draft = draft(site);
        JsonNode id = tree.path(draft.id());
        boolean alone = draft.refersAlone() && tree.has("$ref");
        String text = id.isString() && !alone ? id.stringValue() : "";
        if (text.startsWith("#")) {
            if (draft.refersAlone()) site.resource().anchors.put(text.substring(1), tree);
            text = "";
        }
        if (text.isEmpty() && !isRoot) return site;
        Optional<URI> base = resolved(site.resource().base, text);
        if (base.isEmpty()) problem(site, draft.id(), "expected a URI");
        var resource = new SchemaResource(base.orElse(site.resource().base), tree, draft);
        byUri.putIfAbsent(withoutFragment(resource.base), resource);
        if (text.isEmpty() && id.isString() && draft.refersAlone())
            resource.anchors.put(
                    id.stringValue().substring(Math.min(1, id.stringValue().length())), tree);
        return new SchemaSite(tree, resource, site.pointer());
    }

    private SchemaDraft draft(SchemaSite site) {
        JsonNode named = site.tree().path("$schema");
        if (!named.isString()) return site.resource().draft;
        Optional<SchemaDraft> known = SchemaDraft.of(named.stringValue());
        if (known.isEmpty()) problem(site, "$schema", "expected draft 4, 6, 7, 2019-09 or 2020-12");
        return known.orElse(SchemaDraft.DRAFT_2020_12);
    }

    private static void names(SchemaSite site) {
        SchemaResource resource = site.resource();
        JsonNode tree = site.tree();
        if (resource.draft.refersAlone()) return;
        if (tree.path("$anchor").isString())
            resource.anchors.put(tree.get("$anchor").stringValue(), tree);
        if (resource.draft == SchemaDraft.DRAFT_2019_09) {
            if (isSame(resource.root, tree))
                resource.recursive = tree.path("$recursiveAnchor").asBoolean(false);
            return;
        }
        JsonNode dynamic = tree.path("$dynamicAnchor");
        if (!dynamic.isString()) return;
        resource.anchors.put(dynamic.stringValue(), tree);
        resource.dynamicAnchors.put(dynamic.stringValue(), tree);
    }

    /// What `reference` leads to from a schema of `from`.
    Optional<SchemaSite> find(SchemaResource from, String reference) {
        return resolved(from.base, reference).flatMap(uri -> {
            SchemaResource resource = byUri.get(withoutFragment(uri));
            if (resource == null) return Optional.empty();
            String fragment = uri.getFragment() == null ? "" : uri.getFragment();
            if (fragment.isEmpty()) return Optional.ofNullable(sites.get(resource.root));
            if (fragment.startsWith("/")) return at(resource, fragment);
            return Optional.ofNullable(resource.anchors.get(fragment)).map(sites::get);
        });
    }

    private Optional<SchemaSite> at(SchemaResource resource, String pointer) {
        SchemaSite site = sites.get(resource.root);
        if (site == null) return Optional.empty();
        for (String step : pointer.substring(1).split("/", -1)) {
            String name = step.replace("~1", "/").replace("~0", "~");
            JsonNode parent = site.tree();
            JsonNode child = parent.isArray() && name.matches("0|[1-9][0-9]{0,6}")
                    ? parent.path(Integer.parseInt(name))
                    : parent.path(name);
            if (child.isMissingNode()) return Optional.empty();
            site = site(child, site, name);
        }
        if (site.tree().isObject() && !sites.containsKey(site.tree())) walk(site);
        return Optional.of(site);
    }

    private static Optional<URI> resolved(URI base, String reference) {
        try {
            if (reference.startsWith("#")) return Optional.of(new URI(withoutFragment(base) + reference));
            return Optional.of(reference.isEmpty() ? base : base.resolve(new URI(reference)));
        } catch (java.net.URISyntaxException _) {
            return Optional.empty();
        }
    }

    private static String withoutFragment(URI uri) {
        String text = uri.toString();
        int mark = text.indexOf('#');
        return mark < 0 ? text : text.substring(0, mark);
    }

    @SuppressWarnings("ReferenceEquality") // equal schemas in two places are two
    private static boolean isSame(JsonNode one, JsonNode other) {
        return one == other;
    }

    private void problem(SchemaSite site, String keyword, String message) {
        problems.add(new ConfigProblem(site.pointer() + '/' + keyword, message));
    }
}
