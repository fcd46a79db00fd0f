package gateway.policies.message.json;

import gateway.http.Exchange;
import gateway.http.HeldBody;
import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.policies.message.BodyFlaw;
import gateway.policies.message.BodyGuard.BodyCheck;
import gateway.policies.message.BodyWork;
import gateway.policies.message.schema.CompiledSchema;
import gateway.policies.message.schema.EffortSpentException;
import gateway.policies.message.schema.Finding;
import gateway.policies.message.schema.SchemaDocument;
import gateway.policy.Services;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Bodies by their schemas. A small body that takes long all the same, as recursive schemas make it, goes on on a
/// worker.
final class SchemaBodyCheck implements BodyCheck {
    private static final long AT_ONCE = 2_000; // evaluations on the request's own thread

    private final SchemaValidation policy;
    private final List<CompiledSchema> compiled; // beside the policy's schemas
    private final BodyWork work;

    private SchemaBodyCheck(SchemaValidation policy, List<CompiledSchema> compiled, BodyWork work) {
        this.policy = policy;
        this.compiled = compiled;
        this.work = work;
    }

    /// @throws InvalidConfigException with each thing wrong with its schemas
    static SchemaBodyCheck compile(SchemaValidation policy, BodyWork work, Services services) {
        var documents = new ArrayList<SchemaDocument>();
        for (SchemaSource each : policy.documents()) documents.add(each.document(services));
        var problems = new ArrayList<ConfigProblem>();
        var compiled = new ArrayList<CompiledSchema>();
        for (SelectedSchema each : policy.schemas()) {
            try {
                compiled.add(CompiledSchema.of(each.source().document(services), documents, policy.formats()));
            } catch (InvalidConfigException e) {
                problems.addAll(e.problems());
            }
        }
        if (!problems.isEmpty()) throw new InvalidConfigException(problems);
        return new SchemaBodyCheck(policy, compiled, work);
    }

    @Override
    public Optional<BodyFlaw> flaw(Exchange exchange, HeldBody body) {
        for (int i = 0; i < compiled.size(); i++) {
            if (policy.schemas().get(i).covers(exchange)) return flaw(compiled.get(i), body);
        }
        return Optional.empty();
    }

    private Optional<BodyFlaw> flaw(CompiledSchema schema, HeldBody body) {
        if (work.isSmall(body)) {
            try {
                return flaw(schema, body.json(), Math.min(AT_ONCE, policy.effort()));
            } catch (EffortSpentException _) {
                // from the begin, where nobody else waits for it
            }
        }
        return work.onWorker(() -> patientFlaw(schema, body.json()));
    }

    private Optional<BodyFlaw> patientFlaw(CompiledSchema schema, JsonNode json) {
        try {
            return flaw(schema, json, policy.effort());
        } catch (EffortSpentException _) {
            return Optional.of(
                    BodyFlaw.tooComplex("", "what takes at most " + policy.effort() + " evaluations of its schema"));
        }
    }

    private Optional<BodyFlaw> flaw(CompiledSchema schema, JsonNode json, long effort) {
        JsonNode part = json.at(policy.part());
        String prefix = policy.part().toString();
        if (part.isMissingNode()) return Optional.of(invalid(List.of(new ConfigProblem(prefix, "expected to be there"))));
        List<Finding> findings = schema.findings(part, effort, policy.errors());
        if (findings.isEmpty()) return Optional.empty();
        return Optional.of(invalid(findings.stream()
                .map(each -> new ConfigProblem(
                        prefix + each.pointer(), each.keyword() + ": expected " + each.expected()))
                .toList()));
    }

    private BodyFlaw invalid(List<ConfigProblem> errors) {
        return new BodyFlaw(
                "invalid-content", policy.status(), "Invalid content", "The body is not as its schema has it", errors);
    }
}
