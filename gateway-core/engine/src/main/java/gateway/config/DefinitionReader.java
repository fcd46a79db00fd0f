package gateway.config;

import gateway.http.MethodNames;
import gateway.http.PathPattern;
import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.json.Description;
import gateway.net.AllowedNetworks;
import gateway.policy.PolicyDefinition;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// Reads API definitions from JSON, noting every problem under its pointer.
public final class DefinitionReader {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final String LABEL = "[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?";
    private static final Pattern HOST =
            Pattern.compile("(\\*\\.)?" + LABEL + "(\\." + LABEL + ")*|\\[[0-9A-Fa-f:.]+\\]");
    private static final int LONGEST_HOST = 253;

    private final PolicyRegistry registry;
    private final UpstreamReader upstreams;

    public DefinitionReader(PolicyRegistry registry) {
        this(registry, AllowedNetworks.USUAL);
    }

    /// @param networks that upstreams may lie in
    public DefinitionReader(PolicyRegistry registry, AllowedNetworks networks) {
        this.registry = registry;
        this.upstreams = new UpstreamReader(networks, registry.conditions());
    }

    /// The policy sets of `texts` by id, and the global policies; those that did not change are taken over from
    /// `previous`.
    ///
    /// @param mostCost of all together, as [ConfigNode#cost] counts it
    public PolicySetTable readSets(
            Map<String, String> texts, Optional<String> global, PolicySetTable previous, long mostCost) {
        return PolicySetTable.read(texts, global, previous, registry, mostCost);
    }

    /// The definition at `node`, which uses no policy set.
    public ApiDefinition read(ConfigNode node) {
        return read(node, PolicySets.NONE);
    }

    /// The definition at `node`; sound only when `node` has no problems afterwards.
    public ApiDefinition read(ConfigNode node, PolicySets sets) {
        var policies = PoliciesReader.ofApi(registry, sets);
        node.requireObject();
        node.field("$schema", "of this file, for editors").optionalText();
        String id = readId(node.field("id", "1 to 64 letters, digits, `.`, `_` or `-`"));
        MatchDefinition match = readMatch(node.field("match", "which requests it serves"));
        List<PolicyDefinition> forAll = readPolicies(node, policies, sets);
        Optional<VersionsDefinition> versions = new VersionsReader(id, policies, upstreams)
                .read(node.field("versions", "of which each request chooses one"), match.path());
        int pipelines = versions.map(found -> found.list().size()).orElse(1);
        var api = new ApiDefinition(
                id,
                node.field("name", "for people").unlessGiven("the id").text(id),
                node.field("enabled", "whether it is served").bool(true),
                match,
                node.field("stripPath", "the upstream is sent the path without the one matched")
                        .bool(false),
                node.field("encodedSlashes", "let `%2F` and `%5C` pass in the path rather than answer 400")
                        .bool(false),
                readParameters(node.field("pathParameters", "what becomes of `;` parameters in the path")
                        .unlessGiven("`refuse` where `path-rules` or `authorize` decide by the path, else `keep`")),
                node.field("webSocket", "pass WebSocket handshakes on").bool(true),
                node.field("maxBodySize", "most bytes of a request body")
                        .unlessGiven("any")
                        .size(0, Long.MAX_VALUE, Long.MAX_VALUE),
                upstreams.read(node.field("upstream", "where requests go"), id),
                forAll,
                TrafficLogReader.read(node.field("trafficLog", "whether its requests are recorded, and what of them")),
                ErrorsReader.read(node.field("errors", "forms of the gateway's own answers, of which `Accept` chooses")
                        .unlessGiven("problems of RFC 9457")),
                versions,
                new OperationsReader(policies)
                        .read(node.field("operations", "requests with policies of their own"), Math.max(1, pipelines)));
        node.refuseUnknownFields();
        return api;
    }

    private static List<PolicyDefinition> readPolicies(ConfigNode node, PoliciesReader reader, PolicySets sets) {
        ConfigNode place = node.field("policies", "for every version");
        List<PolicyDefinition> own = reader.read(place);
        if (node.field("exemptFromGlobal", "does without the global policies; the audit log tells so")
                .bool(false)) {
            return own;
        }
        Optional<GlobalPolicies> global = sets.global();
        if (global.isEmpty()) place.problem("the global policies have problems");
        return global.map(policies -> policies.around(own)).orElse(own);
    }

    /// Where a document holds secrets, or says where they are: the pointers of what stands there. What is wrong with it
    /// otherwise is not looked at.
    public List<String> secrets(DocumentKind kind, JsonNode json) {
        return looked(kind, json, PolicySets.ANY).secrets();
    }

    /// What is wrong with a document of these kinds by itself: policy sets that it uses are taken for there.
    public List<ConfigProblem> problems(DocumentKind kind, JsonNode json) {
        return looked(kind, json, PolicySets.ANY).problems();
    }

    /// The policy sets, secrets and resources that a document names. In one that cannot be read as a whole, since a
    /// plugin is missing perhaps, what looks like a reference counts as one.
    public Set<DocumentId> named(DocumentKind kind, JsonNode json) {
        var named = new HashSet<DocumentId>();
        ConfigNode node = looked(kind, json, id -> {
            named.add(new DocumentId(DocumentKind.POLICY_SETS, id));
            return PolicySets.ANY.find(id);
        });
        named.addAll(References.of(node).documents());
        if (node.hasProblems()) named.addAll(References.likely(json));
        return named;
    }

    private ConfigNode looked(DocumentKind kind, JsonNode json, PolicySets sets) {
        ConfigNode node = ConfigNode.of(json);
        switch (kind) {
            case APIS -> read(node, sets);
            case POLICY_SETS -> PolicySetTable.readFields(json.path("id").asString(""), node, registry, sets);
            case GLOBAL -> GlobalPolicies.readFields(registry, sets, node);
            case PLANS, RESOURCES, SECRETS -> {} // name none within
        }
        return node;
    }

    /// What definitions, policy sets and the global policies look like. Readers of all policies are run for it
    /// many times over: it is to be kept.
    public DescribedDefinitions described() {
        List<Description> described = Description.ofAll(List.of(
                this::read,
                node -> PolicySetTable.readFields("", node, registry, PolicySets.NONE),
                node -> GlobalPolicies.readFields(registry, PolicySets.NONE, node)));
        return new DescribedDefinitions(described.get(0), described.get(1), described.get(2));
    }

    /// The definition in `text`.
    ///
    /// @throws gateway.json.InvalidConfigException with every problem found
    public ApiDefinition read(String text) {
        return read(text, PolicySets.NONE);
    }

    /// The definition in `text`.
    ///
    /// @throws gateway.json.InvalidConfigException with every problem found
    public ApiDefinition read(String text, PolicySets sets) {
        var node = ConfigNode.parse(text);
        ApiDefinition api = read(node, sets);
        node.throwIfInvalid();
        return api;
    }

    static String readId(ConfigNode node) {
        String id = node.like(ID).requiredText();
        if (!id.isEmpty() && !ID.matcher(id).matches()) {
            node.problem("expected 1 to 64 letters, digits, '.', '_' or '-', got \"" + id + "\"");
        }
        return id;
    }

    private static PathParameters readParameters(ConfigNode node) {
        boolean chosen = node.json().isPresent();
        return new PathParameters(node.choice(PathParameters.Use.KEEP), chosen);
    }

    private static MatchDefinition readMatch(ConfigNode node) {
        node.requireObject();
        var match = new MatchDefinition(
                node.field("hosts", "without port; `*.example.org` for all below it")
                        .unlessGiven("every host")
                        .list(DefinitionReader::readHost),
                readPath(node.field("path", "a prefix on segment borders; `{name}` binds one segment")),
                new HashSet<>(node.field("methods", "`GET` stands for `HEAD` too")
                        .unlessGiven("every method")
                        .list(MethodNames::read)));
        node.refuseUnknownFields();
        return match;
    }

    private static String readHost(ConfigNode node) {
        String host = node.like(HOST).requiredText().toLowerCase(Locale.ROOT);
        if (!host.isEmpty()
                && (host.length() > LONGEST_HOST || !HOST.matcher(host).matches())) {
            node.problem("expected a host such as \"api.example.com\" or \"*.example.org\", without port, got \"" + host
                    + "\"");
        }
        return host;
    }

    private static String readPath(ConfigNode node) {
        String path = node.like(PathPattern.FORM).requiredText();
        if (path.isEmpty()) return "/";
        Optional<String> flaw = PathPattern.flaw(path);
        flaw.ifPresent(node::problem);
        return flaw.isPresent() ? "/" : path;
    }
}
