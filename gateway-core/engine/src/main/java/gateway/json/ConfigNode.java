package gateway.json;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A place in a JSON document that knows its pointer and collects problems.
///
/// Readers ask for what they expect; what is wrong is noted under its pointer and a harmless value stands in, so that
/// one pass finds every problem, as many as [Problems] tells. [#refuseUnknownFields] then names the fields that nobody
/// asked for, and [#throwIfInvalid] ends the reading.
public final class ConfigNode {
    private final @Nullable JsonNode json; // null: absent
    private final String pointer;
    private final Problems problems;
    private final Cost cost;
    private Map<String, ConfigNode> children = Map.of(); // of all that were asked for; none for most places

    private ConfigNode(@Nullable JsonNode json, String pointer, Problems problems, Cost cost) {
        this.json = json;
        this.pointer = pointer;
        this.problems = problems;
        this.cost = cost;
    }

    public static ConfigNode of(JsonNode json) {
        return new ConfigNode(json, "", new Problems(), new Cost());
    }

    /// @throws InvalidConfigException when `text` is not strict JSON
    public static ConfigNode parse(String text) {
        return of(Json.parse(text));
    }

    /// This place's RFC 6901 pointer, `""` at the root.
    public String pointer() {
        return pointer;
    }

    public boolean isPresent() {
        return json != null && !json.isNull();
    }

    /// The JSON found here.
    public Optional<JsonNode> json() {
        return Optional.ofNullable(json).filter(found -> !found.isNull());
    }

    /// The member `name` of this object, present or not; from now on a known field.
    public ConfigNode field(String name) {
        if (children.isEmpty()) children = new HashMap<>();
        return children.computeIfAbsent(
                name,
                n -> new ConfigNode(json == null ? null : json.get(n), pointer + "/" + escaped(n), problems, cost));
    }

    public void problem(String message) {
        problems.add(new ConfigProblem(pointer, message));
    }

    public String text() {
        return text("");
    }

    /// Non-empty text, required.
    public String requiredText() {
        if (!isPresent()) return missing("text", "");
        String found = text("");
        if (found.isEmpty() && json != null && json.isString()) problem("expected text, got \"\"");
        return found;
    }

    public String text(String fallback) {
        if (json == null || json.isNull()) return fallback;
        if (!json.isString()) return wrong("text", fallback);
        return json.stringValue();
    }

    public Optional<String> optionalText() {
        return isPresent() ? Optional.of(text()) : Optional.empty();
    }

    public boolean bool(boolean fallback) {
        if (json == null || json.isNull()) return fallback;
        if (!json.isBoolean()) return wrong("true or false", fallback);
        return json.booleanValue();
    }

    /// A whole number from `min` to `max`, required.
    public long integer(long min, long max) {
        if (!isPresent()) return missing("a whole number from " + min + " to " + max, min);
        return integer(min, max, min);
    }

    public long integer(long min, long max, long fallback) {
        if (json == null || json.isNull()) return fallback;
        if (!json.isIntegralNumber()) return wrong("a whole number from " + min + " to " + max, fallback);
        if (!json.canConvertToLong() || json.longValue() < min || json.longValue() > max) {
            return wrong(min + " to " + max, fallback);
        }
        return json.longValue();
    }

    /// A duration such as `"500ms"`, `"1s"`, `"15m"`, `"2h"` or `"30d"` from `min` to `max`, required.
    public Duration duration(Duration min, Duration max) {
        if (!isPresent()) return missing("a duration such as \"1s\"", min);
        return duration(min, max, min);
    }

    public Duration duration(Duration min, Duration max, Duration fallback) {
        if (json == null || json.isNull()) return fallback;
        Optional<Duration> found = json.isString() ? Durations.parse(json.stringValue()) : Optional.empty();
        if (found.isEmpty()) return wrong("a duration such as \"500ms\", \"1s\", \"15m\" or \"30d\"", fallback);
        if (found.get().compareTo(min) < 0 || found.get().compareTo(max) > 0) {
            return wrong("a duration from " + Durations.text(min) + " to " + Durations.text(max), fallback);
        }
        return found.get();
    }

    /// A size in bytes such as `512`, `"64KiB"` or `"2MiB"`, required.
    public long size(long min, long max) {
        if (!isPresent()) return missing("a size such as \"64KiB\"", min);
        return size(min, max, min);
    }

    public long size(long min, long max, long fallback) {
        if (json == null || json.isNull()) return fallback;
        Optional<Long> found = json.isIntegralNumber() && json.canConvertToLong()
                ? Optional.of(json.longValue())
                : json.isString() ? Sizes.parse(json.stringValue()) : Optional.empty();
        if (found.isEmpty()) return wrong("a size such as \"64KiB\"", fallback);
        if (found.get() < min || found.get() > max) {
            return wrong("a size from " + min + " to " + max + " bytes", fallback);
        }
        return found.get();
    }

    /// An RFC 3339 time.
    public Optional<Instant> optionalInstant() {
        if (json == null || json.isNull()) return Optional.empty();
        try {
            if (json.isString()) return Optional.of(Instant.parse(json.stringValue()));
        } catch (DateTimeParseException e) {
            // reported below, as any other text that is not a time
        }
        return wrong("a time such as \"2027-01-01T00:00:00Z\"", Optional.empty());
    }

    /// One of an enum's constants, written in kebab-case (`TOKEN_BUCKET` is `"token-bucket"`).
    public <E extends Enum<E>> E choice(E fallback) {
        if (json == null || json.isNull()) return fallback;
        E[] constants = fallback.getDeclaringClass().getEnumConstants();
        if (json.isString()) {
            for (E constant : constants) {
                if (kebab(constant).equals(json.stringValue())) return constant;
            }
        }
        return wrong(
                "one of "
                        + String.join(
                                ", ",
                                Arrays.stream(constants)
                                        .map(c -> "\"" + kebab(c) + "\"")
                                        .toList()),
                fallback);
    }

    /// The elements of an array in order; an absent one is empty.
    public <T> List<T> list(Function<ConfigNode, T> element) {
        if (json == null || json.isNull()) return List.of();
        if (!json.isArray()) return wrong("an array", List.of());
        var found = new ArrayList<T>(json.size());
        for (int i = 0; i < json.size(); i++) found.add(element.apply(element(json, i)));
        return List.copyOf(found);
    }

    /// The members of an object in order; an absent one is empty. Every name is known.
    public <T> Map<String, T> map(Function<ConfigNode, T> value) {
        if (!expectObject()) return Map.of();
        var found = new LinkedHashMap<String, T>();
        for (String name : names()) found.put(name, value.apply(field(name)));
        return java.util.Collections.unmodifiableMap(found);
    }

    /// Adds to the cost of the whole document, as whoever bounds it counts.
    ///
    /// @return the sum
    public long addCost(long more) {
        return cost.add(more);
    }

    /// What the whole document costs as far as it was read.
    public long cost() {
        return cost.add(0);
    }

    /// The names of this object's members in order.
    public List<String> names() {
        return json == null || !json.isObject() ? List.of() : List.copyOf(json.propertyNames());
    }

    /// Whether an object stands here; anything else that is present is noted as a problem.
    public boolean expectObject() {
        if (json == null || json.isNull()) return false;
        if (json.isObject()) return true;
        return wrong("an object", false);
    }

    /// Whether an object stands here; its absence is a problem too.
    public boolean requireObject() {
        if (!isPresent()) return missing("an object", false);
        return expectObject();
    }

    /// Notes every member that no reader asked for, the first few with a suggestion when a known name is near.
    public void refuseUnknownFields() {
        for (String name : names()) {
            if (children.containsKey(name)) continue;
            if (problems.full()) problems.count();
            else problems.addUnknown(pointer + "/" + escaped(name), name, children.keySet());
        }
    }

    public boolean hasProblems() {
        return problems.found() > 0;
    }

    /// The problems noted so far in the whole document: the first [Problems#MOST], then how many more there are.
    public List<ConfigProblem> problems() {
        return problems.told();
    }

    /// How many problems were noted so far in the whole document.
    public long problemCount() {
        return problems.found();
    }

    /// @throws InvalidConfigException when any problem was noted
    public void throwIfInvalid() {
        if (hasProblems()) throw new InvalidConfigException(problems());
    }

    private ConfigNode element(JsonNode array, int index) {
        return new ConfigNode(array.get(index), pointer + "/" + index, problems, cost);
    }

    private <T> T missing(String expected, T standIn) {
        problem("expected " + expected + ", got nothing");
        return standIn;
    }

    private <T> T wrong(String expected, T standIn) {
        if (problems.full()) {
            problems.count();
            return standIn;
        }
        String got = json == null ? "nothing" : json.toString();
        problem("expected " + expected + ", got " + (got.length() > 80 ? got.substring(0, 80) + "…" : got));
        return standIn;
    }

    private static String kebab(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String escaped(String name) {
        return name.replace("~", "~0").replace("/", "~1");
    }
}
