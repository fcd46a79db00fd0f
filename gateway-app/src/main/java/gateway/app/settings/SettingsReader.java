package gateway.app.settings;

import gateway.http.Secret;
import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.json.Suggestion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// Reads settings from a file's tree and the environment, the environment winning, and collects every problem.
public final class SettingsReader {
    /// What Kubernetes and Docker links put into every container when a service is called `gateway` or `gateway-…`:
    /// nobody set these for us.
    private static final Pattern SERVICE_LINK =
            Pattern.compile("GATEWAY(_\\w+)?_(SERVICE_HOST|SERVICE_PORT(_\\w+)?|PORT(_\\d+_(TCP|UDP|SCTP)(_\\w+)?)?)");

    /// What the launcher gives to the JVM.
    private static final String LAUNCHER_OPTIONS = "GATEWAY_JAVA_OPTS";

    /// What definitions refer to, and no setting.
    private static final String SECRETS = "GATEWAY_SECRET_";

    private final List<Setting<?>> table;
    private final String fileName;
    private final Map<String, String> inFile = new HashMap<>();
    private final Map<String, String> environment;
    private final Map<Setting<?>, Object> read = new HashMap<>();
    private final List<SettingValue> values = new ArrayList<>();
    private final List<ConfigProblem> problems = new ArrayList<>();

    public SettingsReader(
            List<Setting<?>> table, String fileName, Map<String, JsonNode> file, Map<String, String> environment) {
        this.table = table;
        this.fileName = fileName;
        this.environment = environment;
        file.forEach(this::takeFromFile);
        environment.keySet().stream().sorted().forEach(this::refuseUnknownVariable);
    }

    /// The setting's value, read once; what is wrong is noted and the default stands in.
    @SuppressWarnings("unchecked") // the value was read by this setting's format
    public <T> T read(Setting<T> setting) {
        Object known = read.get(setting);
        if (known != null) return (T) known;
        T value = readNew(setting);
        read.put(setting, value);
        return value;
    }

    public void problem(String pointer, String message) {
        problems.add(new ConfigProblem(pointer, message));
    }

    /// Where the setting came from, as problems name it; one that nobody set is named as those around it are.
    public String place(Setting<?> setting) {
        boolean byVariable = environment.containsKey(setting.variable()) || inFile.isEmpty();
        return byVariable ? setting.variable() : "/" + setting.name();
    }

    /// The variables that hold secrets for definitions, `GATEWAY_SECRET_…`; empty ones count as not set.
    public Map<String, Secret> secrets() {
        return environment.entrySet().stream()
                .filter(each ->
                        each.getKey().startsWith(SECRETS) && !each.getValue().isEmpty())
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, each -> new Secret(each.getValue())));
    }

    /// @throws InvalidConfigException when anything was wrong
    public void throwIfInvalid() {
        if (!problems.isEmpty()) throw new InvalidConfigException(problems);
    }

    /// Every setting that was read, in the table's order.
    public List<SettingValue> values() {
        return values;
    }

    private <T> T readNew(Setting<T> setting) {
        String fallback = setting.fallback().apply(this);
        String text = fallback;
        String origin = "default";
        if (inFile.containsKey(setting.name())) {
            text = inFile.getOrDefault(setting.name(), "");
            origin = fileName;
        }
        if (environment.containsKey(setting.variable())) {
            text = environment.getOrDefault(setting.variable(), "");
            origin = setting.variable();
        }
        Function<String, String> shown = setting.shown();
        values.add(new SettingValue(
                setting.name(),
                setting.variable(),
                shown.apply(text),
                shown.apply(fallback),
                origin,
                setting.meaning()));
        Optional<T> value = setting.format().read().apply(text);
        if (value.isPresent()) return value.get();
        problem(place(setting), "expected " + setting.format().expected() + ", got \"" + shown.apply(text) + "\"");
        return setting.format().read().apply(fallback).orElseThrow();
    }

    private void takeFromFile(String name, JsonNode value) {
        List<String> known = table.stream().map(Setting::name).toList();
        if (!known.contains(name)) {
            problem("/" + name, "unknown setting" + didYouMean(name, known));
            return;
        }
        text(value)
                .ifPresentOrElse(
                        text -> inFile.put(name, text),
                        () -> problem("/" + name, "expected one value or a list of values"));
    }

    private static Optional<String> text(JsonNode value) {
        if (value.isNull()) return Optional.of("");
        if (value.isValueNode()) return Optional.of(value.asString());
        if (!value.isArray() || !value.valueStream().allMatch(JsonNode::isValueNode)) return Optional.empty();
        return Optional.of(value.valueStream().map(JsonNode::asString).collect(Collectors.joining(",")));
    }

    private void refuseUnknownVariable(String variable) {
        List<String> known = table.stream().map(Setting::variable).toList();
        if (!variable.startsWith("GATEWAY_") || known.contains(variable)) return;
        if (variable.startsWith(SECRETS)) return;
        if (variable.equals(LAUNCHER_OPTIONS) || SERVICE_LINK.matcher(variable).matches()) return;
        problem(variable, "unknown setting" + didYouMean(variable, known));
    }

    private static String didYouMean(String name, List<String> known) {
        return Suggestion.nearest(name, known)
                .map(near -> "; did you mean \"" + near + "\"?")
                .orElse("");
    }
}
