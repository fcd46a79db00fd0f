package gateway.policies.cache;

import com.google.auto.service.AutoService;
import gateway.http.HeaderText;
import gateway.json.ConfigNode;
import gateway.policy.BodyAccess;
import gateway.policy.BodyUse;
import gateway.policy.Condition;
import gateway.policy.NestedPolicies;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Keeps answers of the upstream and gives them again: a shared cache (RFC 9111, RFC 5861, RFC 9211).
///
/// @param postKey what tells requests with content apart that only ask
/// @param answersHead whether `HEAD` is answered from what `GET` has brought
/// @param bypass which requests are neither answered from what is kept nor bring any
/// @param staleWhileRevalidate how long a stale answer is given while the upstream is asked behind it
/// @param staleIfError how long a stale answer is given while the upstream fails
/// @param lockFor how long a request waits for another that asks the same; zero: it does not
/// @param sharedBetweenCallers whether answers to requests with credentials are given to others
/// @param shared who has what is kept
/// @param ignoreClient whether what clients say in `Cache-Control` is not heard
public record ResponseCache(
        KeyParts key,
        PostKey postKey,
        boolean answersHead,
        Condition bypass,
        KeepRules rules,
        Duration staleWhileRevalidate,
        Duration staleIfError,
        Duration lockFor,
        boolean sharedBetweenCallers,
        boolean ignoreClient,
        SharedWith shared)
        implements PolicySpec {
    private static final Duration LONGEST = Duration.ofDays(30);
    private static final Condition NEVER = _ -> false;

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        return new CachingPolicy(
                this,
                placement,
                new KeyText()
                        .add(placement.counter())
                        .add(key.toString())
                        .add(postKey.toString())
                        .add(rules.tags()) // what was kept under another is purged by nothing, and may show these
                        .add(sharedBetweenCallers ? "shared" : "") // what was kept for all is for nobody once it is not
                        .digest(),
                new KeptAnswers(
                        services.shared(new LocalAnswers.Id(), LocalAnswers.class, () -> LocalAnswers.ofHeap(services)),
                        services.shared(new Flights.Id(), Flights.class, Flights::new),
                        services.shared(new CopyRoom.Id(), CopyRoom.class, CopyRoom::ofHeap),
                        services.shared(
                                new CacheCounts.Id(placement.api(), placement.step()),
                                CacheCounts.class,
                                () -> new CacheCounts(placement.api())),
                        new RepeatedTexts(),
                        sharedAnswers(services)),
                services.clock());
    }

    private Optional<SharedAnswers> sharedAnswers(Services services) {
        if (shared == SharedWith.NODE || !services.entries().isShared()) return Optional.empty();
        Duration stale = staleWhileRevalidate.compareTo(staleIfError) > 0 ? staleWhileRevalidate : staleIfError;
        ShareWriter writer = services.shared(new ShareWriter.Id(), ShareWriter.class, ShareWriter::new);
        return Optional.of(
                new SharedAnswers(services.entries(), writer, services.purges().log(), rules, stale, services.clock()));
    }

    /// Who has what one node keeps.
    enum SharedWith {
        /// It alone.
        NODE,
        /// All nodes of the store, each with a memory of its own in front.
        STORE
    }

    @Override
    public BodyUse bodyUse() {
        BodyAccess asked = postKey.isUsed() ? PostKey.access() : BodyAccess.NONE;
        return new BodyUse(bypass.readsBody() ? Condition.BODY : asked, BodyAccess.watched());
    }

    @Override
    public Set<String> innerFields() {
        return Set.of(rules.tags());
    }

    @Override
    public Optional<String> sideEffect() {
        return Optional.of("what it asks for or finds tells others to wait");
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        private static final int MOST_STATUSES = 32;
        private static final List<String> METHODS = List.of("GET", "HEAD");

        @Override
        public String name() {
            return "cache";
        }

        @Override
        public Stage stage() {
            return Stage.CACHE;
        }

        @Override
        public ResponseCache read(ConfigNode node) {
            return read(node, NestedPolicies.NONE);
        }

        @Override
        public ResponseCache read(ConfigNode node, NestedPolicies nested) {
            return new ResponseCache(
                    KeyParts.read(node.field("key", "what tells answers apart, beside scheme, host and path")),
                    PostKey.read(node.field(
                            "postKey",
                            "pointers into the JSON of `POST` that make its key: it only asks then; other members are not "
                                    + "sent on; `\"\"` is all of it")),
                    answersHead(
                            node.field("methods", "what is answered from what is kept: `GET`, with or without `HEAD`")
                                    .unlessGiven("`GET` and `HEAD`")),
                    bypass(
                            node.field(
                                    "bypass",
                                    "requests that are neither answered from what is kept nor bring any: a `when`"),
                            nested),
                    rules(node),
                    node.field("staleWhileRevalidate", "how long a stale answer is given while it is renewed behind it")
                            .duration(Duration.ZERO, LONGEST, Duration.ZERO),
                    node.field("staleIfError", "how long a stale answer is given while the upstream fails")
                            .duration(Duration.ZERO, LONGEST, Duration.ZERO),
                    node.field("lockFor", "how long a request waits for another that asks the same; `0s`: not at all")
                            .duration(Duration.ZERO, Duration.ofSeconds(30), Duration.ofSeconds(2)),
                    node.field("sharedBetweenCallers", "give answers to requests with credentials to other callers too")
                            .bool(false),
                    node.field("ignoreClient", "do not heed `Cache-Control` of requests")
                            .bool(false),
                    node.field("shared", "`node`: each node keeps its own; `store`: in Redis too, for all nodes")
                            .choice(SharedWith.NODE));
        }

        private static boolean answersHead(ConfigNode node) {
            List<String> methods = node.extent(1, METHODS.size())
                    .obeys("{\"contains\": {\"const\": \"GET\"}}")
                    .list(Type::method);
            if (!node.isPresent()) return true;
            if (!methods.contains("GET"))
                node.problem(
                        "expected GET among them, whose answers alone are kept, got " + String.join(", ", methods));
            return methods.contains("HEAD");
        }

        private static String method(ConfigNode node) {
            String method = node.only(METHODS).requiredText();
            if (method.equals("POST")) node.expected("GET or HEAD; POST is kept by postKey");
            else if (!method.isEmpty() && !METHODS.contains(method))
                node.problem("expected GET or HEAD, got \"" + method + '"');
            return method;
        }

        private static Condition bypass(ConfigNode node, NestedPolicies nested) {
            return node.isPresent() ? nested.condition(node) : NEVER;
        }

        private static KeepRules rules(ConfigNode node) {
            Duration lifetime = node.field("for", "how long an answer is fresh that does not say so itself")
                    .duration(Duration.ZERO, LONGEST, Duration.ZERO);
            boolean respects = node.field(
                            "respectUpstream",
                            "heed how long the answer says that it is fresh; `no-store` and `private` hold anyway")
                    .bool(true);
            ConfigNode field = node.field(
                    "statuses",
                    "of answers that are kept without a word of theirs, up to 32; unless given 200, 301 and 404");
            List<Integer> listed = field.list(each -> (int) each.integer(200, 599));
            field.extent(0, MOST_STATUSES);
            if (listed.size() > MOST_STATUSES) field.problem("expected at most 32 statuses, got " + listed.size());
            Set<Integer> statuses = field.isPresent() ? new LinkedHashSet<>(listed) : Set.of(200, 301, 404);
            long most = node.field("maxObject", "most bytes of an answer that is kept; larger ones stream past")
                    .size(1, 16 << 20, 1 << 20);
            return new KeepRules(lifetime, respects, statuses, most, tags(node));
        }

        private static String tags(ConfigNode node) {
            ConfigNode field = node.field(
                    "tags", "the field that carries what an answer is purged by; it is taken out of what clients get");
            String name = field.like(HeaderText.TOKEN_FORM).text("Cache-Tag");
            if (HeaderText.isToken(name)) return name;
            field.problem("expected the name of a field, got \"" + name + '"');
            return "Cache-Tag";
        }
    }
}
