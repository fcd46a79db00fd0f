package gateway.policies.message.json;

import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.Problem;
import gateway.json.ConfigProblem;
import gateway.policies.message.ContentCheck;
import gateway.policies.message.form.FormPart;
import gateway.policies.message.form.MultipartForm;
import gateway.policies.message.xml.XmlContent;
import gateway.policies.message.xml.XmlLimitsCheck;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonPointer;

/// Bounds a `multipart/form-data`, and what stands in its parts as if it came alone.
///
/// @param xml empty: parts of XML are as those of any other type
record PartLimitsCheck(PartLimits limits, LimitedTokens json, Optional<XmlLimitsCheck> xml) implements ContentCheck {
    static final String TYPE = "multipart/form-data";

    @Override
    public Optional<Problem> check(HeldBody body, Headers fields, boolean answer) {
        Optional<List<FormPart>> parts =
                MultipartForm.parts(body.plain(), fields.first("Content-Type").orElse(""));
        if (parts.isEmpty()) return Optional.of(JsonBodies.malformed("not valid multipart/form-data"));
        if (parts.get().size() > limits.count())
            return Optional.of(JsonBodies.tooComplex("", "at most " + limits.count() + " parts"));
        for (FormPart each : parts.get()) {
            Optional<Problem> flaw = flaw(each);
            if (flaw.isPresent()) return flaw;
        }
        return Optional.empty();
    }

    private Optional<Problem> flaw(FormPart part) {
        if (part.name().length() > limits.name())
            return Optional.of(JsonBodies.tooComplex("", "names of parts of at most " + limits.name() + " characters"));
        String place = JsonPointer.empty().appendProperty(part.name()).toString();
        if (part.size() > limits.size())
            return Optional.of(JsonBodies.tooComplex(place, "at most " + limits.size() + " bytes"));
        return content(part).map(problem -> within(place, problem));
    }

    private Optional<Problem> content(FormPart part) {
        if (part.isJson()) {
            return part.isUtf8() ? json.flaw(part.content()) : Optional.of(JsonBodies.otherCharset());
        }
        return part.isXml()
                ? xml.flatMap(check -> check.flaw(new XmlContent(part.content(), part.charset())))
                : Optional.empty();
    }

    private static Problem within(String place, Problem problem) {
        List<ConfigProblem> errors = problem.errors().stream()
                .map(each -> new ConfigProblem(place + each.pointer(), each.message()))
                .toList();
        return new Problem(problem.type(), problem.status(), problem.title(), problem.detail(), errors);
    }
}
