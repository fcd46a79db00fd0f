package gateway.policies.message.openapi;

import gateway.http.Body;
import gateway.http.BodyRefusedException;
import gateway.http.Exchange;
import gateway.http.HeaderText;
import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.Problem;
import gateway.json.Utf8;
import gateway.policies.message.BoundReachedException;
import gateway.policies.message.ContentGuard;
import gateway.policies.message.MediaRanges;
import gateway.policies.message.SizedWork;
import gateway.policies.message.form.FormPart;
import gateway.policies.message.form.MultipartForm;
import gateway.policies.message.json.JsonBodies;
import gateway.policies.message.schema.CompiledSchema;
import gateway.policies.message.schema.Finding;
import gateway.policies.message.schema.SchemaUse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/// Looks at the content of messages.
///
/// @param types of content that is looked at; of others the type alone counts
/// @param effort evaluations of one body
record MessageContents(MediaRanges types, SizedWork work, long effort) {
    private static final String BODY = "body";
    private static final long AT_ONCE = 2_000; // evaluations on the request's own thread

    /// @return what ends it at once; what is wrong by the schema is told to `faults`
    Optional<Problem> check(
            Exchange exchange, Body body, Headers fields, DescribedContent content, SchemaUse use, Faults faults) {
        if (body.length().orElse(1) == 0) {
            if (content.required()) faults.add(BODY, "", "expected content");
            return Optional.empty();
        }
        List<String> lines = fields.all("Content-Type");
        if (lines.size() > 1) return Optional.of(otherType()); // each reader would take another one
        String type =
                lines.isEmpty() ? "" : lines.getFirst().split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (!content.takes(type)) return Optional.of(otherType());
        Optional<MediaSchema> schema = content.schema(type);
        // under `*/*` what is no type would pass by the schema, and be read as a guess has it
        if (schema.isPresent() && !isType(type)) return Optional.of(otherType());
        if (schema.isEmpty() || !types.include(fields)) return Optional.empty();
        if (!(body instanceof HeldBody whole) || !whole.isPlain()) return Optional.of(ContentGuard.endless());
        var reading = new Reading(exchange, whole, lines.getFirst(), schema.get(), use, faults);
        try {
            return work.on(whole, exchange, () -> look(type, fields, reading));
        } catch (BoundReachedException _) {
            return Optional.of(JsonBodies.tooComplex("", "at most " + effort + " evaluations of its schema"));
        } catch (BodyRefusedException e) {
            return Optional.of(JsonBodies.refusal(e));
        }
    }

    private static boolean isType(String type) {
        int slash = type.indexOf('/');
        return slash > 0
                && HeaderText.isToken(type.substring(0, slash))
                && HeaderText.isToken(type.substring(slash + 1));
    }

    private static Problem otherType() {
        return Problem.of(
                "unsupported-media-type",
                415,
                "Unsupported media type",
                "The API's document has no content of this type here");
    }

    private record Reading(
            Exchange exchange, HeldBody body, String contentType, MediaSchema schema, SchemaUse use, Faults faults) {}

    private Optional<Problem> look(String type, Headers fields, Reading reading) {
        boolean multipart = type.equals("multipart/form-data");
        if (!JsonBodies.isUtf8(fields)) return Optional.of(JsonBodies.otherCharset());
        if (type.equals("application/json") || type.endsWith("+json")) return json(reading);
        if (multipart) return multipart(reading);
        if (!Utf8.holds(reading.body.plain())) return Optional.of(JsonBodies.malformed("not UTF-8"));
        String text = new String(reading.body.plain(), StandardCharsets.UTF_8);
        if (type.equals("application/x-www-form-urlencoded")) return form(NamedTexts.of(text), reading);
        if (type.startsWith("text/"))
            holds(reading, textFirst -> reading.schema.shape().read(text, textFirst));
        return Optional.empty();
    }

    private Optional<Problem> form(NamedTexts form, Reading reading) {
        if (form.broken()) return Optional.of(JsonBodies.malformed("not percent-encoded UTF-8"));
        if (form.fields().size() > NamedTexts.MOST)
            return Optional.of(JsonBodies.tooComplex("", "at most " + NamedTexts.MOST + " fields"));
        if (form.namesOtherCharset()) return Optional.of(JsonBodies.otherCharset());
        FormSchema schema = reading.schema.form();
        holds(reading, textFirst -> schema.object(form, reading.body, textFirst, reading.faults));
        return Optional.empty();
    }

    private Optional<Problem> multipart(Reading reading) {
        Optional<List<FormPart>> parts = MultipartForm.parts(reading.body.plain(), reading.contentType);
        if (parts.isEmpty()) return Optional.of(JsonBodies.malformed("not valid multipart/form-data"));
        if (parts.get().size() > MultipartForm.MOST)
            return Optional.of(JsonBodies.tooComplex("", "at most " + MultipartForm.MOST + " parts"));
        if (!parts.get().stream().allMatch(FormPart::isUtf8)) return Optional.of(JsonBodies.otherCharset());
        FormSchema schema = reading.schema.form();
        holds(reading, textFirst -> schema.object(parts.get(), reading.body, textFirst, reading.faults));
        return Optional.empty();
    }

    private Optional<Problem> json(Reading reading) {
        reading.faults.add(BODY, "", findings(reading.body.json(), reading));
        return Optional.empty();
    }

    /// Texts that may be two things are taken for either, and hold if one does.
    private void holds(Reading reading, Function<Boolean, JsonNode> value) {
        int room = reading.faults.room();
        List<Finding> findings = findings(value.apply(false), reading);
        boolean unread = reading.faults.room() < room; // which was told
        if (findings.isEmpty() || unread) return;
        boolean either = reading.schema.shape().isAmbiguous();
        if (either && findings(value.apply(true), reading).isEmpty()) return;
        reading.faults.add(BODY, "", findings);
    }

    /// A small body that takes long all the same, as recursive schemas make it, goes to a worker,
    /// where a larger one is already.
    private List<Finding> findings(JsonNode value, Reading reading) {
        CompiledSchema schema = reading.schema.schema();
        int most = Math.max(1, reading.faults.room());
        if (reading.body.exceeds(work.most())) return schema.findings(value, reading.use, effort, most);
        return work.begun(
                reading.exchange.api(),
                () -> schema.findings(value, reading.use, Math.min(AT_ONCE, effort), most),
                () -> schema.findings(value, reading.use, effort, most));
    }
}
