package gateway.policies.message.filter;

import gateway.http.Body;
import gateway.http.BodyRefusedException;
import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.Problem;
import gateway.json.Json;
import gateway.json.Utf8;
import gateway.policies.message.ContentCheck;
import gateway.policies.message.ContentGuard;
import gateway.policies.message.MediaRanges;
import gateway.policies.message.json.JsonBodies;
import gateway.policies.message.xml.XmlContent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Looks at one body: JSON and forms value by value, XML as text and value by value, all else as text.
final class BodyLook implements ContentCheck {
    private static final MediaRanges JSON =
            new MediaRanges(Stream.concat(JsonBodies.TYPES.stream(), Stream.of("text/json", "text/x-json"))
                    .toList());
    private static final MediaRanges FORM = new MediaRanges(List.of("application/x-www-form-urlencoded"));
    private static final MediaRanges XML = new MediaRanges(XmlContent.TYPES);
    private static final MediaRanges HTML = new MediaRanges(List.of("text/html"));

    private static final Pattern SOUND_ENCODING =
            Pattern.compile("encoding\\s*=\\s*[\"'](?:utf-8|us-ascii)[\"']", Pattern.CASE_INSENSITIVE);

    private static final int MOST_AT_ONCE = 32 << 10; // bytes, which take as long as a signature by ES256
    private static final long EFFORT_AT_ONCE = 16 << 10;
    private static final long EFFORT_OF_GLANCE = 256 << 10; // spent once more where something is found

    private final BodyRules rules;
    private final FilterScan scan;
    private final boolean refusesOthers;
    private final List<String> way = new ArrayList<>();
    private final Supplier<String> here = this::where;
    private final Supplier<String> around = this::holder;
    private Optional<Body> changed = Optional.empty();

    /// @param refusesOthers whether content is refused in which a place in JSON cannot be looked for
    BodyLook(BodyRules rules, FilterScan scan, boolean refusesOthers) {
        this.rules = rules;
        this.scan = scan;
        this.refusesOthers = refusesOthers;
    }

    /// What takes the place of the body; empty: it stays.
    Optional<Body> changed() {
        return changed;
    }

    @Override
    public boolean passesAtOnce(HeldBody body, Headers fields) {
        return !body.exceeds(MOST_AT_ONCE)
                && JsonBodies.isUtf8(fields)
                && JSON.include(fields)
                && passes(body, EFFORT_AT_ONCE);
    }

    private boolean passes(HeldBody body, long effort) {
        return rules.placed().isEmpty() && JsonGlance.passes(rules, body.plain(), Math.min(effort, scan.left()));
    }

    @Override
    public Optional<Problem> check(HeldBody body, Headers fields, boolean answer) {
        if (!JsonBodies.isUtf8(fields)) return Optional.of(JsonBodies.otherCharset());
        if (JSON.include(fields)) return json(body);
        if (refusesOthers && !rules.placed().isEmpty()) return Optional.of(ContentGuard.otherType());
        if (!Utf8.holds(body.plain())) return Optional.of(JsonBodies.malformed("not UTF-8"));
        String text = new String(body.plain(), StandardCharsets.UTF_8);
        // UTF-16 and UTF-32 of ASCII are sound UTF-8 with NUL, which readers of XML tell by its begin.
        if (text.indexOf('\0') >= 0 || declaresOther(text)) return Optional.of(JsonBodies.otherCharset());
        String after = FORM.include(fields)
                ? HeadFilter.query(text, rules.whole(), scan, () -> "/body")
                : scan.seen(text, rules.whole(), false, () -> "/body");
        if (scan.problem().isPresent()) return scan.problem();
        boolean masked = !after.equals(text);
        boolean xml = XML.include(fields);
        if (masked && (xml || HTML.include(fields)) && structure(text) != structure(after)) scan.refuse(unmasked());
        if (xml && !rules.whole().isEmpty()) xml(body, masked ? Optional.of(after) : Optional.empty());
        if (masked && scan.problem().isEmpty()) change(after.getBytes(StandardCharsets.UTF_8), body);
        return scan.problem();
    }

    /// Masks are longer than what stood there, and both are kept until the request is over.
    private void change(byte[] content, HeldBody body) {
        body.memory().hold(content.length);
        changed = Optional.of(Body.of(content));
    }

    /// Looks at its values. One that holds what is to be masked still once the text is masked cannot be: what stands
    /// for it there is more than characters, and may be markup.
    private void xml(HeldBody body, Optional<String> masked) {
        BitSet scope = masked.isEmpty() ? rules.whole() : rules.filter().reporting(rules.whole());
        XmlValues.tell(body.plain(), value -> seenInXml(value, scope)).ifPresent(scan::refuse);
        if (masked.isEmpty() || scan.problem().isPresent()) return;
        byte[] after = masked.get().getBytes(StandardCharsets.UTF_8);
        if (XmlValues.tell(after, value -> seenInXml(value, rules.whole())).isPresent()) scan.refuse(unmasked());
    }

    private void seenInXml(String value, BitSet scope) {
        String after = scan.seen(value, scope, false, () -> "/body");
        if (!after.equals(value)) scan.refuse(unmasked());
    }

    private Optional<Problem> json(HeldBody body) {
        if (body.exceeds(MOST_AT_ONCE) && passes(body, EFFORT_OF_GLANCE)) return Optional.empty();
        way.clear();
        try {
            JsonNode tree = body.json();
            JsonNode after = seen(tree);
            if (scan.problem().isEmpty() && !after.equals(tree)) change(JsonBodies.written(after), body);
            return scan.problem();
        } catch (BodyRefusedException e) {
            return Optional.of(JsonBodies.refusal(e));
        }
    }

    /// The same tree unless something in it gives way: others read it too.
    private JsonNode seen(JsonNode node) {
        if (scan.problem().isPresent()) return node;
        return switch (node) {
            case ObjectNode object -> seen(object);
            case ArrayNode array -> seen(array);
            default -> seenValue(node);
        };
    }

    private JsonNode seen(ObjectNode object) {
        ObjectNode after = null;
        for (Map.Entry<String, JsonNode> each : object.properties()) {
            String name = each.getKey();
            way.addLast(name);
            // A name cannot be masked: two could become one. Nor is it told, since it is what was found.
            if (!scan.seen(name, scope(), false, around).equals(name)) scan.refuse(unmasked());
            JsonNode old = each.getValue();
            JsonNode member = seen(old);
            if (!member.equals(old)) {
                if (after == null) after = object.objectNode().setAll(object);
                after.set(name, member);
            }
            way.removeLast();
        }
        return after == null ? object : after;
    }

    private JsonNode seen(ArrayNode array) {
        ArrayNode after = null;
        for (int i = 0; i < array.size(); i++) {
            way.addLast(Integer.toString(i));
            JsonNode old = array.get(i);
            JsonNode element = seen(old);
            if (!element.equals(old)) {
                if (after == null) after = array.arrayNode().addAll(array);
                after.set(i, element);
            }
            way.removeLast();
        }
        return after == null ? array : after;
    }

    private JsonNode seenValue(JsonNode value) {
        if (!value.isString() && !value.isNumber()) return value;
        String text = value.asString();
        String after = scan.seen(text, scope(), false, here);
        return after.equals(text) ? value : Json.mapper().getNodeFactory().stringNode(after);
    }

    private BitSet scope() {
        BitSet placed = rules.placed();
        if (placed.isEmpty()) return rules.whole();
        var scope = (BitSet) rules.whole().clone();
        for (int id = placed.nextSetBit(0); id >= 0; id = placed.nextSetBit(id + 1))
            if (rules.filter().owner(id).places().inBody(way)) scope.set(id);
        return scope;
    }

    private String where() {
        return where(way.size());
    }

    /// What holds the place.
    private String holder() {
        return where(way.size() - 1);
    }

    /// @param names of the way that are told
    private String where(int names) {
        return way.stream()
                .limit(names)
                .map(each -> '/' + each.replace("~", "~0").replace("/", "~1"))
                .collect(Collectors.joining("", "/body", ""));
    }

    /// XML that says it is read otherwise than here.
    private static boolean declaresOther(String text) {
        int begin = text.startsWith("\uFEFF") ? 1 : 0;
        if (!text.startsWith("<?xml", begin)) return false;
        int end = text.indexOf("?>", begin);
        String declaration = end < 0 ? text : text.substring(begin, end);
        int encoding = declaration.indexOf("encoding");
        return encoding >= 0
                && !SOUND_ENCODING.matcher(declaration.substring(encoding)).lookingAt();
    }

    /// How many characters of a text hold markup together.
    private static long structure(String markup) {
        return markup.chars()
                .filter(c -> c == '<' || c == '>' || c == '"' || c == '&')
                .count();
    }

    private static Problem unmasked() {
        return Problem.of(
                "content-refused", 403, "Content refused", "What is to be masked is part of the structure of the body");
    }
}
