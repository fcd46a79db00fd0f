package gateway.key;

import gateway.http.Allowance;
import gateway.http.MethodNames;
import gateway.json.ConfigNode;
import gateway.json.Durations;
import gateway.json.Json;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// API keys as JSON, in the admin API and in stores.
public final class ApiKeyJson {
    static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final Pattern PATH = Pattern.compile("/[\\s\\S]*");
    private static final long MOST_REQUESTS = 1_000_000_000_000L;

    private ApiKeyJson() {}

    /// Reads a key; an absent `id` becomes `""`, to be given by whoever creates it. Problems are left in `node`.
    public static ApiKey read(ConfigNode node) {
        return read(node, MethodNames::read);
    }

    /// The same of a key that a store has: earlier versions took any text for a method.
    public static ApiKey stored(ConfigNode node) {
        return read(node, ConfigNode::requiredText);
    }

    private static ApiKey read(ConfigNode node, Function<ConfigNode, String> method) {
        node.requireObject();
        node.field("$schema", "of this file, for editors").optionalText();
        var id = node.field("id", "made when absent on create").like(ID);
        String idText = id.text();
        if (id.isPresent()) checkId(id);
        ConfigNode plan = node.field("plan", "id of the plan that says what the key does not")
                .like(ID);
        if (plan.isPresent()) checkId(plan);
        var key = new ApiKey(
                idText,
                node.field("name", "for people").text(),
                node.field("enabled", "whether it opens anything").bool(true),
                node.field("expires", "from then on it opens nothing").optionalInstant(),
                plan.optionalText(),
                readGrants(
                        node.field("apis", "what it opens beside what its plan opens, by API id; neither: nothing"),
                        method),
                readAllowance(
                        node.field(
                                "rateLimit",
                                "charged once a request, in place of the numbers of rate-limit policies by key; before that of the plan")),
                readAllowance(
                        node.field(
                                "quota",
                                "charged once a request, in place of the numbers of quota policies by key; before that of the plan")),
                node.field("tags", "for `when` and the traffic log").list(ConfigNode::requiredText),
                node.field("metadata", "for `{key.metadata.…}` in `headers`").map(ConfigNode::text),
                KeyCredentialJson.readAll(node.field(
                        "credentials", "that its holder may prove to be it by, beside its secret, at most 8")));
        node.refuseUnknownFields();
        return key;
    }

    public static ObjectNode write(ApiKey key) {
        var json = Json.mapper().createObjectNode();
        json.put("id", key.id());
        json.put("name", key.name());
        json.put("enabled", key.enabled());
        key.expires().ifPresent(expires -> json.put("expires", expires.toString()));
        key.plan().ifPresent(plan -> json.put("plan", plan));
        var apis = json.putObject("apis");
        key.apis().forEach((api, grant) -> writeGrant(apis.putObject(api), grant));
        key.rateLimit().ifPresent(limit -> writeAllowance(json.putObject("rateLimit"), limit));
        key.quota().ifPresent(quota -> writeAllowance(json.putObject("quota"), quota));
        var tags = json.putArray("tags");
        key.tags().forEach(tags::add);
        var metadata = json.putObject("metadata");
        key.metadata().forEach(metadata::put);
        if (!key.credentials().isEmpty()) KeyCredentialJson.write(key.credentials(), json.putArray("credentials"));
        return json;
    }

    static void checkId(ConfigNode id) {
        String text = id.text();
        if (!ID.matcher(text).matches()) {
            id.problem("expected 1 to 64 letters, digits, '.', '_' or '-', got \"" + text + "\"");
        }
    }

    /// @param method how one is read
    static Map<String, ApiGrant> readGrants(ConfigNode node, Function<ConfigNode, String> method) {
        return node.map(grant -> readGrant(grant, method));
    }

    private static ApiGrant readGrant(ConfigNode node, Function<ConfigNode, String> method) {
        node.named("Grant", here -> readGrant(here, method)).expectObject();
        var grant = new ApiGrant(
                node.field("paths", "of the API that it opens")
                        .unlessGiven("all")
                        .list(path -> readPath(path, method)),
                readVersions(node.field("versions", "of the API that it opens").unlessGiven("all")));
        node.refuseUnknownFields();
        return grant;
    }

    /// None at all is refused rather than read as every one.
    private static List<String> readVersions(ConfigNode node) {
        List<String> versions = node.extent(1, Integer.MAX_VALUE).list(ApiKeyJson::readVersion);
        if (versions.isEmpty() && node.json().map(JsonNode::isArray).orElse(false)) {
            node.problem("expected at least one version, got []");
        }
        return versions;
    }

    private static String readVersion(ConfigNode node) {
        String version = node.like(ID).requiredText();
        if (!version.isEmpty() && !ID.matcher(version).matches()) {
            node.problem("expected the name of a version, got \"" + version + "\"");
        }
        return version;
    }

    private static PathGrant readPath(ConfigNode node, Function<ConfigNode, String> method) {
        node.requireObject();
        var path = node.field("path", "below the API, and all below it").like(PATH);
        String text = path.requiredText();
        if (!text.isEmpty() && !text.startsWith("/"))
            path.problem("expected a path that begins with \"/\", got \"" + text + "\"");
        var grant = new PathGrant(
                text.length() > 1 && text.endsWith("/") ? text.substring(0, text.length() - 1) : text,
                new HashSet<>(node.field("methods", "that it opens there")
                        .unlessGiven("every method")
                        .list(method)));
        node.refuseUnknownFields();
        return grant;
    }

    static Optional<Allowance> readAllowance(ConfigNode node) {
        node.named("Allowance", ApiKeyJson::readAllowance);
        if (!node.expectObject()) return Optional.empty();
        var allowance = new Allowance(
                node.field("requests", "how many").integer(1, MOST_REQUESTS),
                node.field("per", "in how much time").duration(Duration.ofMillis(1), Duration.ofDays(3660)));
        node.refuseUnknownFields();
        return Optional.of(allowance);
    }

    private static void writeAllowance(ObjectNode json, Allowance allowance) {
        json.put("requests", allowance.requests()).put("per", Durations.text(allowance.per()));
    }

    private static void writeGrant(ObjectNode json, ApiGrant grant) {
        if (!grant.versions().isEmpty()) {
            var versions = json.putArray("versions");
            grant.versions().forEach(versions::add);
        }
        if (grant.paths().isEmpty()) return;
        var paths = json.putArray("paths");
        for (PathGrant path : grant.paths()) {
            var entry = paths.addObject().put("path", path.path());
            if (path.methods().isEmpty()) continue;
            var methods = entry.putArray("methods");
            path.methods().stream().sorted().forEach(methods::add);
        }
    }
}
