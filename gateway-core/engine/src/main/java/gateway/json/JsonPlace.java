package gateway.json;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/// A place in JSON that is there, or absent from it.
final class JsonPlace implements ConfigNode {
    private static final Logger LOG = LoggerFactory.getLogger(JsonPlace.class);
    private static final int LONGEST = 80; // characters of a value that are told

    private final @Nullable JsonNode json; // null: absent
    private final String pointer;
    private final DocumentPass pass;
    private final Problems problems;
    private Map<String, JsonPlace> children = Map.of(); // of all that were asked for; none for most places

    private JsonPlace(@Nullable JsonNode json, String pointer, DocumentPass pass) {
        this.json = json;
        this.pointer = pointer;
        this.pass = pass;
        this.problems = pass.problems;
    }

    static JsonPlace root(JsonNode json, String document) {
        return new JsonPlace(json, "", new DocumentPass(document));
    }

    @Override
    public String document() {
        return pass.document;
    }

    @Override
    public void noteSecret() {
        if (isPresent()) pass.secrets.add(pointer);
    }

    @Override
    public List<String> secrets() {
        return List.copyOf(pass.secrets);
    }

    @Override
    public void noteResource() {
        if (isPresent()) pass.resources.add(pointer);
    }

    @Override
    public List<String> resources() {
        return List.copyOf(pass.resources);
    }

    @Override
    public String pointer() {
        return pointer;
    }

    @Override
    public boolean isPresent() {
        return json != null && !json.isNull();
    }

    @Override
    public Optional<JsonNode> json() {
        return Optional.ofNullable(json).filter(found -> !found.isNull());
    }

    @Override
    public ConfigNode field(String name) {
        if (children.isEmpty()) children = new HashMap<>();
        return children.computeIfAbsent(
                name, n -> new JsonPlace(json == null ? null : json.get(n), pointer + "/" + escaped(n), pass));
    }

    @Override
    public void problem(String message) {
        problems.add(new ConfigProblem(pointer, message));
    }

    @Override
    public void expected(String what) {
        if (problems.full()) problems.count();
        else problem("expected " + what + ", got " + got());
    }

    @Override
    public <T> T attempt(Supplier<T> reader, T otherwise) {
        try {
            return reader.get();
        } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
            LOG.warn("what stands at {} cannot be read", pointer, e);
            problem("cannot be read: " + e);
            return otherwise;
        }
    }

    @Override
    public String requiredText() {
        if (!isPresent()) return wrong("text", "");
        String found = text("");
        if (found.isEmpty() && json != null && json.isString()) expected("text");
        return found;
    }

    @Override
    public String text(String fallback) {
        if (json == null || json.isNull()) return fallback;
        if (!json.isString()) return wrong("text", fallback);
        return json.stringValue();
    }

    @Override
    public boolean bool(boolean fallback) {
        if (json == null || json.isNull()) return fallback;
        if (!json.isBoolean()) return wrong("true or false", fallback);
        return json.booleanValue();
    }

    @Override
    public long integer(long min, long max) {
        if (!isPresent()) return wrong("a whole number from " + min + " to " + max, min);
        return integer(min, max, min);
    }

    @Override
    public long integer(long min, long max, long fallback) {
        if (json == null || json.isNull()) return fallback;
        if (!isWhole(json)) return wrong("a whole number from " + min + " to " + max, fallback);
        if (!json.canConvertToLong() || json.longValue() < min || json.longValue() > max) {
            return wrong(min + " to " + max, fallback);
        }
        return json.longValue();
    }

    /// As JSON Schema has it: `1.0` is one too.
    private static boolean isWhole(JsonNode json) {
        return json.isNumber() && json.canConvertToExactIntegral();
    }

    @Override
    public double share(double fallback) {
        if (json == null || json.isNull()) return fallback;
        if (!json.isNumber() || json.doubleValue() < 0 || json.doubleValue() > 1) {
            return wrong("a share from 0 to 1", fallback);
        }
        return json.doubleValue();
    }

    @Override
    public Duration duration(Duration min, Duration max) {
        if (!isPresent()) return wrong("a duration such as \"1s\"", min);
        return duration(min, max, min);
    }

    @Override
    public Duration duration(Duration min, Duration max, Duration fallback) {
        if (json == null || json.isNull()) return fallback;
        Optional<Duration> found = json.isString() ? Durations.parse(json.stringValue()) : Optional.empty();
        if (found.isEmpty()) return wrong("a duration such as \"500ms\", \"1s\", \"15m\" or \"30d\"", fallback);
        if (found.get().compareTo(min) < 0 || found.get().compareTo(max) > 0) {
            return wrong("a duration from " + Durations.text(min) + " to " + Durations.text(max), fallback);
        }
        return found.get();
    }

    @Override
    public long size(long min, long max) {
        if (!isPresent()) return wrong("a size such as \"64KiB\"", min);
        return size(min, max, min);
    }

    @Override
    public long size(long min, long max, long fallback) {
        if (json == null || json.isNull()) return fallback;
        Optional<Long> found = isWhole(json) && json.canConvertToLong()
                ? Optional.of(json.longValue())
                : json.isString() ? Sizes.parse(json.stringValue()) : Optional.empty();
        if (found.isEmpty()) return wrong("a size such as \"64KiB\"", fallback);
        if (found.get() < min || found.get() > max) {
            return wrong("a size from " + min + " to " + max + " bytes", fallback);
        }
        return found.get();
    }

    @Override
    public Optional<Instant> optionalInstant() {
        if (json == null || json.isNull()) return Optional.empty();
        try {
            if (json.isString()) return Optional.of(Instant.parse(json.stringValue()));
        } catch (DateTimeParseException e) {
            // reported below, as any other text that is not a time
        }
        return wrong("a time such as \"2027-01-01T00:00:00Z\"", Optional.empty());
    }

    @Override
    public <E extends Enum<E>> E choice(E fallback) {
        if (json == null || json.isNull()) return fallback;
        E[] constants = fallback.getDeclaringClass().getEnumConstants();
        if (json.isString()) {
            for (E constant : constants) {
                if (ConfigNode.word(constant).equals(json.stringValue())) return constant;
            }
        }
        return wrong(
                "one of "
                        + String.join(
                                ", ",
                                Arrays.stream(constants)
                                        .map(c -> "\"" + ConfigNode.word(c) + "\"")
                                        .toList()),
                fallback);
    }

    @Override
    public <T> List<T> list(Function<ConfigNode, T> element) {
        if (json == null || json.isNull()) return List.of();
        if (!json.isArray()) return wrong("an array", List.of());
        var found = new ArrayList<T>(json.size());
        for (int i = 0; i < json.size(); i++) found.add(element.apply(element(json, i)));
        return List.copyOf(found);
    }

    @Override
    public <T> Map<String, T> map(Function<ConfigNode, T> value) {
        if (!expectObject()) return Map.of();
        var found = new LinkedHashMap<String, T>();
        for (String name : names()) found.put(name, value.apply(field(name)));
        return java.util.Collections.unmodifiableMap(found);
    }

    @Override
    public long addCost(long more) {
        return pass.cost.add(more);
    }

    @Override
    public long cost() {
        return pass.cost.add(0);
    }

    @Override
    public List<String> names() {
        return json == null || !json.isObject() ? List.of() : List.copyOf(json.propertyNames());
    }

    @Override
    public boolean expectObject() {
        if (json == null || json.isNull()) return false;
        if (json.isObject()) return true;
        return wrong("an object", false);
    }

    @Override
    public boolean requireObject() {
        if (!isPresent()) return wrong("an object", false);
        return expectObject();
    }

    @Override
    public ConfigNode one(String... names) {
        return nullIsNothing(names);
    }

    @Override
    public ConfigNode some(String... names) {
        return nullIsNothing(names);
    }

    @Override
    public ConfigNode apart(String name, String... others) {
        return nullIsNothing(others);
    }

    @Override
    public ConfigNode beside(String other, String name) {
        return nullIsNothing(name);
    }

    @Override
    public ConfigNode onlyWhere(String name, String by, boolean usual, String... words) {
        return nullIsNothing(name);
    }

    /// One of these fields may not be looked at, since another one says so: null is no unknown field then.
    private ConfigNode nullIsNothing(String... names) {
        for (String name : names) {
            if (json != null && json.path(name).isNull()) {
                ConfigNode _ = field(name);
            }
        }
        return this;
    }

    @Override
    public void refuseUnknownFields() {
        for (String name : names()) {
            if (children.containsKey(name)) continue;
            if (problems.full()) problems.count();
            else problems.addUnknown(pointer + "/" + escaped(name), name, children.keySet());
        }
    }

    @Override
    public boolean hasProblems() {
        return problems.found() > 0;
    }

    @Override
    public List<ConfigProblem> problems() {
        return problems.told();
    }

    @Override
    public long problemCount() {
        return problems.found();
    }

    private JsonPlace element(JsonNode array, int index) {
        return new JsonPlace(array.get(index), pointer + "/" + index, pass);
    }

    private <T> T wrong(String expected, T standIn) {
        expected(expected);
        return standIn;
    }

    /// What stands here, unless it is more than one value, in which secrets may be, or a secret itself.
    private String got() {
        if (!isPresent() || json == null) return "nothing";
        if (pass.secrets.contains(pointer)) return "a secret";
        if (json.isContainer() && !json.isEmpty()) return json.isObject() ? "an object" : "an array";
        return TextCut.told(json.toString(), LONGEST);
    }

    private static String escaped(String name) {
        return name.replace("~", "~0").replace("/", "~1");
    }
}
