package gateway.policies.message.json;

import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.Problem;
import gateway.json.ConfigProblem;
import gateway.policies.message.BoundReachedException;
import gateway.policies.message.ContentCheck;
import gateway.policies.message.SizedWork;
import gateway.policies.message.schema.CompiledSchema;
import gateway.policies.message.schema.Finding;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Bodies by a schema. A small one that takes long all the same, as recursive schemas make it, is looked at once more
/// on a worker, from the begin; a larger one is there already.
///
/// @param api whose share of the workers it takes
record SchemaBodyCheck(SchemaValidation policy, CompiledSchema schema, SizedWork work, String api)
        implements ContentCheck {
    private static final long AT_ONCE = 2_000; // evaluations on the request's own thread

    @Override
    public Optional<Problem> check(HeldBody body, Headers fields, boolean answer) {
        return JsonBodies.check(body, fields, json -> body.exceeds(work.most()) ? patient(json) : quick(json));
    }

    private Optional<Problem> quick(JsonNode json) {
        return work.begun(api, () -> problem(json, Math.min(AT_ONCE, policy.effort())), () -> patient(json));
    }

    private Optional<Problem> patient(JsonNode json) {
        try {
            return problem(json, policy.effort());
        } catch (BoundReachedException _) {
            return Optional.of(JsonBodies.tooComplex("", "at most " + policy.effort() + " evaluations of its schema"));
        }
    }

    private Optional<Problem> problem(JsonNode json, long effort) {
        JsonNode part = json.at(policy.part());
        String prefix = policy.part().toString();
        if (part.isMissingNode())
            return Optional.of(invalid(List.of(new ConfigProblem(prefix, "expected to be there"))));
        List<Finding> findings = schema.findings(part, effort, policy.errors());
        if (findings.isEmpty()) return Optional.empty();
        return Optional.of(invalid(findings.stream()
                .map(each ->
                        new ConfigProblem(prefix + each.pointer(), each.keyword() + ": expected " + each.expected()))
                .toList()));
    }

    private Problem invalid(List<ConfigProblem> errors) {
        return new Problem(
                "invalid-content", policy.status(), "Invalid content", "The body is not as its schema has it", errors);
    }
}
