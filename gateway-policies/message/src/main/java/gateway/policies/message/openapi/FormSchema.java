package gateway.policies.message.openapi;

import gateway.http.BodyRefusedException;
import gateway.http.HeldBody;
import gateway.json.Json;
import gateway.policies.message.form.FormPart;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Makes an object of the fields of a form.
///
/// @param shape of the object
/// @param writings of its members, where a document says more than their schemas
record FormSchema(ValueShape shape, Map<String, FieldWriting> writings) {
    private static final String BODY = "body";

    FormSchema {
        writings = Map.copyOf(writings);
    }

    /// The object that the fields are; what cannot be read is told and left out.
    JsonNode object(NamedTexts form, HeldBody body, boolean textFirst, Faults faults) {
        ObjectNode object = Json.mapper().createObjectNode();
        var values = new ValueTexts(text -> PercentText.decoded(text, true), textFirst);
        int elements = 0;
        for (String name : names(form)) {
            FieldWriting writing = writing(name);
            Optional<JsonNode> value = writing.json()
                    ? json(form.all(name), shape.member(name), body)
                    : value(name, form, writing.texts(), values);
            elements += value.map(JsonNode::size).orElse(0);
            if (elements > StyledTexts.MOST)
                throw BodyRefusedException.tooComplex("a form of more than " + StyledTexts.MOST + " elements");
            set(object, name, value, faults);
        }
        return object;
    }

    private Set<String> names(NamedTexts form) {
        var names = new LinkedHashSet<String>();
        for (NamedTexts.Field each : form.fields()) {
            int bracket = each.name().indexOf('[');
            String base = bracket < 1 ? "" : each.name().substring(0, bracket);
            names.add(isDeep(base) ? base : each.name());
        }
        return names;
    }

    private FieldWriting writing(String name) {
        FieldWriting said = writings.get(name);
        return said == null ? FieldWriting.usual(name) : said;
    }

    private boolean isDeep(String name) {
        return writings.containsKey(name) && writings.get(name).texts().style() == ParameterStyle.DEEP_OBJECT;
    }

    private Optional<JsonNode> value(String name, NamedTexts form, StyledTexts texts, ValueTexts values) {
        ValueShape member = shape.member(name);
        if (isDeep(name)) return values.object(form.deep(name), member);
        List<String> raws = form.all(name);
        boolean free = !shape.members().containsKey(name) && raws.size() > 1;
        boolean many = free || (member.may(ValueKind.ARRAY) && (raws.size() > 1 || !member.may(ValueKind.TEXT)));
        if (many) return texts.elements(raws).flatMap(each -> values.array(each, member));
        if (member.may(ValueKind.OBJECT) && !member.may(ValueKind.TEXT))
            return texts.members(raws).flatMap(each -> values.object(each, member));
        return texts.one(raws).flatMap(each -> values.value(each, member));
    }

    private static Optional<JsonNode> json(List<String> raws, ValueShape member, HeldBody body) {
        var decoded = new ArrayList<byte[]>();
        for (String each : raws) {
            Optional<String> text = PercentText.decoded(each, true);
            if (text.isEmpty()) return Optional.empty();
            decoded.add(text.get().getBytes(StandardCharsets.UTF_8));
        }
        return parsed(decoded, member, body);
    }

    /// One text is the value; several are the elements of an array.
    private static Optional<JsonNode> parsed(List<byte[]> texts, ValueShape member, HeldBody body) {
        try {
            if (texts.size() == 1 && !member.may(ValueKind.ARRAY)) return Optional.of(body.json(texts.getFirst()));
            if (texts.size() > 1 && !member.may(ValueKind.ARRAY)) return Optional.empty();
            if (texts.size() == 1) {
                JsonNode only = body.json(texts.getFirst());
                return Optional.of(
                        only.isArray() ? only : Json.mapper().createArrayNode().add(only));
            }
            var array = Json.mapper().createArrayNode();
            for (byte[] each : texts) array.add(body.json(each));
            return Optional.of(array);
        } catch (BodyRefusedException e) {
            if (e.kind() == BodyRefusedException.Kind.TOO_COMPLEX) throw e; // it may be JSON
            return Optional.empty();
        }
    }

    /// The same of the parts of a multipart form.
    JsonNode object(List<FormPart> parts, HeldBody body, boolean textFirst, Faults faults) {
        ObjectNode object = Json.mapper().createObjectNode();
        var names = new LinkedHashSet<String>();
        for (FormPart each : parts) names.add(each.name());
        for (String name : names) {
            List<FormPart> own =
                    parts.stream().filter(each -> each.name().equals(name)).toList();
            FieldWriting writing = writing(name);
            if (!own.stream().allMatch(each -> writing.takes(each.type())))
                faults.add(BODY, Faults.step(name), "expected content of a type that the document has");
            set(object, name, value(own, writing, body, textFirst), faults);
        }
        return object;
    }

    private Optional<JsonNode> value(List<FormPart> own, FieldWriting writing, HeldBody body, boolean textFirst) {
        String name = own.getFirst().name();
        ValueShape member = shape.member(name);
        if (writing.json() || own.stream().allMatch(FormPart::isJson))
            return parsed(own.stream().map(FormPart::content).toList(), member, body);
        boolean many = member.may(ValueKind.ARRAY)
                || (own.size() > 1 && !shape.members().containsKey(name));
        if (!many && own.size() > 1) return Optional.empty();
        var values = new ValueTexts(Optional::of, textFirst);
        List<String> texts = own.stream().map(FormPart::text).toList();
        return many ? values.array(texts, member) : values.value(texts.getFirst(), member);
    }

    private static void set(ObjectNode object, String name, Optional<JsonNode> value, Faults faults) {
        if (value.isPresent()) object.set(name, value.get());
        else faults.add(BODY, Faults.step(name), "expected one value as the document has it written");
    }
}
