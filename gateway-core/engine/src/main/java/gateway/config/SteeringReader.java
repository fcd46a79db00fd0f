package gateway.config;

import gateway.config.RetryDefinition.Failure;
import gateway.http.MethodNames;
import gateway.json.ConfigNode;
import gateway.json.Durations;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/// Reads how an upstream is steered: balancing beyond weights, health, ejection, breaker, retries and bulkhead.
final class SteeringReader {
    private static final Pattern CHECKED_PATH = Pattern.compile("/[!\"$-~]*");
    private static final Pattern SERVICE = Pattern.compile("[!-~]{0,300}");
    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int MOST_HELD = 16 << 20;

    /// That would be two empty lists.
    private static final String NOTHING_TRIED = """
            {"not": {"required": ["on", "statuses"], "properties": {"on": {"type": "array", "maxItems": 0},
             "statuses": {"type": "array", "maxItems": 0}}}}""";

    private static final String ONLY_IN_A_QUEUE = """
            {"if": {"required": ["maxWait"], "properties": {"maxWait": {"not": {"type": "null"}}}},
             "then": {"required": ["queue"], "properties": {"queue": {"type": "integer", "minimum": 1}}}}""";

    private final Duration timeout;

    /// @param timeout of the whole exchange
    SteeringReader(Duration timeout) {
        this.timeout = timeout;
    }

    Steering read(
            ConfigNode node,
            String name,
            UpstreamDefinition.Balance balance,
            Optional<SplitDefinition> split,
            Optional<MirrorDefinition> mirror) {
        node.onlyWhere("hashBy", "balance", false, "hash")
                .neededWhere("hashBy", "balance", false, "hash")
                .onlyWhere("slowStart", "balance", true, "round-robin", "least-requests");
        return new Steering(
                name,
                hashBy(
                        node.field("hashBy", "of `balance` `hash`: what is hashed")
                                .form("`ip`, `key`, `header:<name>`, `cookie:<name>`"),
                        balance),
                when(node.field("healthCheck", "asks targets whether they serve"), SteeringReader::healthCheck),
                when(node.field("ejection", "leaves out targets that fail requests"), SteeringReader::ejection),
                slowStart(node.field("slowStart", "over which a target that is back gets its share"), balance),
                when(
                        node.field("circuitBreaker", "refuses requests while too many fail"),
                        SteeringReader::circuitBreaker),
                when(node.field("retry", "asks again, another target where there is one"), this::retry),
                when(node.field("bulkhead", "bounds the requests under way"), SteeringReader::bulkhead),
                node.field("dnsRefresh", "how often names are looked up")
                        .duration(SECOND, Duration.ofDays(1), Steering.USUAL_DNS_REFRESH),
                split,
                mirror);
    }

    /// What `reader` makes of an object, unknown fields refused; empty when none is there.
    private static <T> Optional<T> when(ConfigNode node, Function<ConfigNode, T> reader) {
        if (!node.expectObject()) return Optional.empty();
        T read = reader.apply(node);
        node.refuseUnknownFields();
        return Optional.of(read);
    }

    private static RequestTrait hashBy(ConfigNode node, UpstreamDefinition.Balance balance) {
        if (balance == UpstreamDefinition.Balance.HASH) return RequestTrait.read(node);
        node.like(RequestTrait.FORM);
        if (node.isPresent()) node.problem("expected nothing, since \"balance\" is not \"hash\"");
        return RequestTrait.IP;
    }

    private static Duration slowStart(ConfigNode node, UpstreamDefinition.Balance balance) {
        if (node.isPresent() && balance == UpstreamDefinition.Balance.HASH)
            node.problem("expected nothing, since \"balance\" is \"hash\": requests would change their target");
        return node.duration(Duration.ZERO, HOUR, Duration.ZERO);
    }

    private static HealthCheckDefinition healthCheck(ConfigNode node) {
        var type = node.field("type", "how it is asked").choice(HealthCheckDefinition.Type.HTTP);
        var path = node.field("path", "that is asked for");
        var statuses = node.field("statuses", "that are good").unlessGiven("200 to 399");
        Set<Integer> good = new HashSet<>(statuses.list(status -> (int) status.integer(100, 599)));
        var service = node.field("service", "of gRPC that is asked about");
        boolean grpc = type == HealthCheckDefinition.Type.GRPC;
        node.onlyWhere("path", "type", true, "http")
                .onlyWhere("statuses", "type", true, "http")
                .onlyWhere("service", "type", false, "grpc");
        if (type != HealthCheckDefinition.Type.HTTP) {
            String why = "expected nothing, since \"type\" is \"" + (grpc ? "grpc" : "tcp") + "\"";
            if (path.isPresent()) path.problem(why);
            if (statuses.isPresent()) statuses.problem(why);
        }
        if (service.isPresent() && !grpc) service.problem("expected nothing, since \"type\" is not \"grpc\"");
        String named = service.like(SERVICE).text("");
        if (!SERVICE.matcher(named).matches())
            service.problem("expected a name such as \"package.Service\", got \"" + named + "\"");
        String asked = path.like(CHECKED_PATH).text("/");
        if (!CHECKED_PATH.matcher(asked).matches())
            path.problem("expected a path such as \"/health\", got \"" + asked + "\"");
        Duration interval = node.field("interval", "between two checks")
                .duration(Duration.ofMillis(100), HOUR, Duration.ofSeconds(5));
        var limit = node.field("timeout", "of one check").unlessGiven("`interval`, 2s at most");
        Duration shorter = interval.compareTo(Duration.ofSeconds(2)) < 0 ? interval : Duration.ofSeconds(2);
        Duration timeout = limit.duration(MILLISECOND, HOUR, shorter);
        if (timeout.compareTo(interval) > 0) limit.problem(atMost("interval", interval, timeout));
        return new HealthCheckDefinition(
                type,
                asked,
                interval,
                timeout,
                (int) node.field("healthy", "good checks in a row that bring it back")
                        .integer(1, 100, 2),
                (int) node.field("unhealthy", "bad checks in a row that leave it out")
                        .integer(1, 100, 3),
                good,
                named);
    }

    private static EjectionDefinition ejection(ConfigNode node) {
        Duration time = node.field("time", "it is left out for the first time")
                .duration(Duration.ofMillis(100), HOUR, Duration.ofSeconds(30));
        Duration usual = time.multipliedBy(10);
        var longest = node.field("maxTime", "it is left out for at most").unlessGiven("ten times `time`");
        Duration maxTime = longest.duration(Duration.ofMillis(100), Duration.ofDays(1), usual);
        if (maxTime.compareTo(time) < 0) longest.problem(atLeast("time", time, maxTime));
        return new EjectionDefinition(
                (int) node.field("failures", "in a row").integer(1, 1000, 5),
                node.field("serverErrors", "whether answers 5xx count").bool(true),
                time,
                maxTime,
                (int) node.field("maxPercent", "of targets that may be left out")
                        .integer(1, 100, 50));
    }

    private static CircuitBreakerDefinition circuitBreaker(ConfigNode node) {
        var slowCall = node.field("slowCall", "an answer after this counts as failed");
        var slowPercent = node.field("slowPercent", "of slow answers that open it");
        node.beside("slowCall", "slowPercent");
        Optional<Duration> slow =
                slowCall.isPresent() ? Optional.of(slowCall.duration(MILLISECOND, HOUR)) : Optional.empty();
        if (slowPercent.isPresent() && slow.isEmpty())
            slowPercent.problem("expected nothing, since there is no \"slowCall\"");
        return new CircuitBreakerDefinition(
                (int) node.field("failurePercent", "of failures that open it").integer(1, 100, 50),
                slow,
                (int) slowPercent.integer(1, 100, 50),
                node.field("window", "over which it counts").duration(SECOND, HOUR, Duration.ofSeconds(30)),
                (int) node.field("minRequests", "in the window before it opens").integer(1, 1_000_000, 20),
                node.field("open", "how long it stays open")
                        .duration(Duration.ofMillis(100), HOUR, Duration.ofSeconds(10)),
                (int) node.field("probes", "requests that try whether it may close")
                        .integer(1, 1000, 3));
    }

    private RetryDefinition retry(ConfigNode node) {
        var on = EnumSet.noneOf(Failure.class);
        var failures = node.field("on", "failures that are tried again").unlessGiven("`unreachable`, `broken`");
        on.addAll(failures.list(SteeringReader::failure));
        if (!failures.isPresent()) on.addAll(EnumSet.of(Failure.UNREACHABLE, Failure.BROKEN));
        var statuses = node.field("statuses", "that are tried again").unlessGiven("502, 503, 504");
        Set<Integer> again = new HashSet<>(statuses.list(status -> (int) status.integer(400, 599)));
        if (!statuses.isPresent()) again = Set.of(502, 503, 504);
        Set<String> repeated = Set.copyOf(
                node.field("methods", "that are tried again beside idempotent ones, with an `Idempotency-Key`")
                        .list(MethodNames::read));
        node.obeys(NOTHING_TRIED);
        if (on.isEmpty() && again.isEmpty()) node.problem("expected something in \"on\" or \"statuses\", got nothing");
        var perTry = node.field("perTryTimeout", "of each try, at most that of the whole exchange");
        Optional<Duration> each = perTry.isPresent()
                ? Optional.of(perTry.duration(MILLISECOND, UpstreamReader.LONGEST))
                : Optional.empty();
        each.filter(found -> found.compareTo(timeout) > 0)
                .ifPresent(found -> perTry.problem(atMost("timeout", timeout, found)));
        Duration backoff = node.field("backoff", "before the second try")
                .duration(Duration.ZERO, Duration.ofMinutes(1), Duration.ofMillis(25));
        Duration usual = backoff.multipliedBy(10);
        var most = node.field("maxBackoff", "before any try").unlessGiven("ten times `backoff`");
        Duration maxBackoff = most.duration(Duration.ZERO, HOUR, usual);
        if (maxBackoff.compareTo(backoff) < 0) most.problem(atLeast("backoff", backoff, maxBackoff));
        return new RetryDefinition(
                (int) node.field("attempts", "in all").integer(2, 10, 2),
                on,
                again,
                repeated,
                each,
                (int) node.field("budgetPercent", "of requests that may be tries")
                        .integer(1, 20, 20),
                backoff,
                maxBackoff,
                (int) node.field("maxBody", "bytes of a body that are kept for another try")
                        .size(0, MOST_HELD, 64 << 10));
    }

    private static String atMost(String field, Duration most, Duration got) {
        return "expected at most \"" + field + "\", " + Durations.text(most) + ", got " + Durations.text(got);
    }

    private static String atLeast(String field, Duration least, Duration got) {
        return "expected at least \"" + field + "\", " + Durations.text(least) + ", got " + Durations.text(got);
    }

    private static Failure failure(ConfigNode node) {
        if (!node.isPresent()) node.problem("expected a failure such as \"broken\", got nothing");
        return node.choice(Failure.BROKEN);
    }

    private static BulkheadDefinition bulkhead(ConfigNode node) {
        int queue = (int) node.field("queue", "requests that wait").integer(0, 100_000, 0);
        var maxWait = node.field("maxWait", "of a request in the queue");
        node.obeys(ONLY_IN_A_QUEUE);
        if (queue == 0 && maxWait.isPresent()) maxWait.problem("expected nothing, since there is no \"queue\"");
        return new BulkheadDefinition(
                (int) node.field("requests", "under way at once").integer(1, 1_000_000),
                queue,
                maxWait.duration(MILLISECOND, HOUR, SECOND));
    }
}
