package gateway.policies.message.json;

import com.google.auto.service.AutoService;
import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.policies.message.ContentGuard;
import gateway.policies.message.ContentRules;
import gateway.policies.message.SizedWork;
import gateway.policies.message.schema.CompiledSchema;
import gateway.policies.message.schema.SchemaDocument;
import gateway.policy.BodyUse;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.core.JsonPointer;

/// Lets JSON pass only when it is as a JSON Schema has it.
///
/// @param schemas the first that covers a request counts; one without `select` covers all
/// @param documents that schemas may refer to besides
/// @param part of a body that is looked at
/// @param formats whether `format` is asserted
/// @param errors that a client is told at most
/// @param status of the refusal
/// @param effort evaluations of one body
public record SchemaValidation(
        ContentRules rules,
        List<SelectedSchema> schemas,
        List<SchemaSource> documents,
        JsonPointer part,
        boolean formats,
        int errors,
        int status,
        long effort)
        implements PolicySpec {
    static final long USUAL_EFFORT = 100_000;

    public SchemaValidation {
        schemas = List.copyOf(schemas);
        documents = List.copyOf(documents);
    }

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        var work = new SizedWork(services.workers(), JsonBodies.SMALL);
        List<Policy> guards = new ArrayList<>();
        for (CompiledSchema each : compiled(services)) {
            var check = new SchemaBodyCheck(this, each, work, placement.api());
            guards.add(new ContentGuard(rules, check, work));
        }
        return exchange -> {
            for (int i = 0; i < guards.size(); i++) {
                if (schemas.get(i).covers(exchange)) return guards.get(i).apply(exchange);
            }
            return Verdict.proceed();
        };
    }

    /// @throws InvalidConfigException with each thing wrong with the schemas
    private List<CompiledSchema> compiled(Services services) {
        var all = new ArrayList<SchemaDocument>();
        for (SchemaSource each : documents) all.add(each.document(services));
        var problems = new ArrayList<ConfigProblem>();
        var compiled = new ArrayList<CompiledSchema>();
        for (SelectedSchema each : schemas) {
            try {
                compiled.add(CompiledSchema.of(each.source().document(services), all, formats));
            } catch (InvalidConfigException e) {
                problems.addAll(e.problems());
            }
        }
        if (!problems.isEmpty()) throw new InvalidConfigException(problems);
        return compiled;
    }

    @Override
    public BodyUse bodyUse() {
        return rules.scope().bodyUse();
    }

    @Override
    public boolean callsOut(Services services) {
        return true; // burns CPU, and its time is told
    }

    @Override
    public boolean mayReport() {
        return true;
    }

    @Override
    public boolean decidesByPath() {
        return schemas.stream().anyMatch(each -> !each.paths().isEmpty());
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        private static final Pattern POINTER = Pattern.compile("(/[\\s\\S]*)?");
        private static final int MOST_SCHEMAS = 100;

        @Override
        public String name() {
            return "json-schema";
        }

        @Override
        public Stage stage() {
            return Stage.VALIDATE;
        }

        @Override
        public SchemaValidation read(ConfigNode node) {
            ContentRules rules = ContentRules.read(node, JsonBodies.TYPES);
            ConfigNode documents = node.field("documents", "resources that `$ref` may lead to, by `$id` or by id")
                    .form("resources")
                    .unlessGiven("none");
            var sources = new ArrayList<SchemaSource>();
            documents.list(each -> sources.add(SchemaSource.read(each, "/documents/" + sources.size())));
            documents.extent(0, MOST_SCHEMAS);
            if (sources.size() > MOST_SCHEMAS)
                documents.problem("expected at most " + MOST_SCHEMAS + ", got " + sources.size());
            return new SchemaValidation(
                    rules,
                    schemas(node),
                    sources,
                    part(node.field("part", "JSON Pointer to what is looked at; the whole body unless given")
                            .form("JSON Pointer")),
                    node.field("formats", "whether `format` is asserted").bool(false),
                    (int) node.field("errors", "that a client is told at most").integer(1, 100, 20),
                    (int) node.field("status", "of the refusal").integer(400, 499, 422),
                    node.field("effort", "evaluations that one body may take").integer(100, 10_000_000, USUAL_EFFORT));
        }

        private static List<SelectedSchema> schemas(ConfigNode node) {
            ConfigNode select = node.field("select", "the schema of each; requests that none covers pass")
                    .unlessGiven("`schema` for all");
            ConfigNode schema =
                    node.field("schema", "this or `select`").form("JSON Schema, or `{\"resource\": \"id\"}`");
            var selected = new ArrayList<SelectedSchema>();
            select.list(each -> selected.add(SelectedSchema.read(each, "/select/" + selected.size())));
            select.extent(0, MOST_SCHEMAS);
            if (selected.size() > MOST_SCHEMAS)
                select.problem("expected at most " + MOST_SCHEMAS + ", got " + selected.size());
            node.one("schema", "select");
            if (select.isPresent() && schema.isPresent())
                select.problem("expected either \"schema\" or \"select\", got both");
            if (select.isPresent()) return selected;
            return List.of(new SelectedSchema(java.util.Set.of(), List.of(), SchemaSource.read(schema, "/schema")));
        }

        private static JsonPointer part(ConfigNode node) {
            String text = node.like(POINTER).extent(0, 1_000).text();
            if (text.isEmpty() || (text.startsWith("/") && text.length() <= 1_000)) return JsonPointer.compile(text);
            node.expected("a JSON Pointer such as \"/order\"");
            return JsonPointer.empty();
        }
    }
}
