package gateway.component;

import gateway.component.ClusterEntries.Look;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.service.Upstream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Entries by HTTP: `GET`, `HEAD`, `PUT` and `DELETE` of `/cache/{group}/{key}`, `DELETE` of `/cache/{group}`. What
/// decides is looked at before a body is read.
final class EntryEndpoint implements Upstream {
    /// Bytes of the largest entry.
    static final int MOST_BYTES = 4 << 20;

    /// The state of a group, in answers; in requests the one that it has to be in.
    static final String STATE = "Cache-State";

    private static final Pattern LIFETIME = Pattern.compile("max-age=([0-9]{1,9})");
    private static final int LONGEST_TEXT = 128; // of states and content types

    private final ClusterEntries entries;
    private final CacheTokens tokens;
    private final InstantSource clock;

    EntryEndpoint(ClusterEntries entries, CacheTokens tokens, InstantSource clock) {
        this.entries = entries;
        this.tokens = tokens;
        this.clock = clock;
    }

    @Override
    public Response send(Exchange exchange, UpstreamWaiter waiter) {
        Headers fields = exchange.headers();
        if (!tokens.open(fields.first("Authorization"))) return unauthenticated(exchange);
        Optional<EntryPlace> place = EntryPlace.of(exchange.rawPath());
        if (place.isEmpty()) return problem(exchange, "not-found", 404, "Not found", "no entry has such a name");
        // Which would ask for something else, such as a part of a group.
        if (!exchange.head().query().isEmpty())
            return problem(exchange, "malformed-request", 400, "Bad request", "expected no parameters");
        try {
            return answer(exchange, place.get());
        } catch (MemberSlowException e) {
            return problem(exchange, "dependency-unavailable", 503, "Service unavailable", "a member does not answer")
                    .with("Retry-After", "1");
        }
    }

    private Response answer(Exchange exchange, EntryPlace place) {
        return switch (exchange.method()) {
            case "GET", "HEAD" -> place.isGroup() ? wrongMethod(exchange, "DELETE") : get(exchange, place);
            case "PUT" -> place.isGroup() ? wrongMethod(exchange, "DELETE") : put(exchange, place);
            case "DELETE" -> delete(place);
            default -> wrongMethod(exchange, place.isGroup() ? "DELETE" : "GET, HEAD, PUT, DELETE");
        };
    }

    private Response get(Exchange exchange, EntryPlace place) {
        Look look = entries.find(place);
        if (look.entry().isEmpty()) return Response.of(404).with(STATE, look.state());
        StoredEntry entry = look.entry().get();
        String tag = '"' + entry.version() + '"';
        Response answer = isKnown(tag, exchange.headers().all("If-None-Match"))
                ? Response.of(304)
                : Response.of(200, entry.contentType(), entry.body().content());
        return answer.with("ETag", tag)
                .with("Cache-Control", "max-age=" + secondsTo(entry.end()))
                .with(STATE, look.state());
    }

    /// By weak comparison, which is all the same here (RFC 9110 §13.1.2); the tags of this server hold no comma.
    private static boolean isKnown(String tag, List<String> lines) {
        for (String line : lines) {
            for (String each : line.split(",", -1)) {
                String named = each.strip();
                if (named.equals("*") || named.equals(tag) || named.equals("W/" + tag)) return true;
            }
        }
        return false;
    }

    private long secondsTo(Instant end) {
        return Math.max(0, Duration.between(clock.instant(), end).toSeconds());
    }

    private Response put(Exchange exchange, EntryPlace place) {
        Headers fields = exchange.headers();
        Optional<Duration> keep = lifetime(fields.all("Cache-Control"));
        if (keep.isEmpty())
            return problem(
                    exchange,
                    "malformed-request",
                    400,
                    "Bad request",
                    "expected Cache-Control: max-age= and 1 to " + ClusterEntries.LONGEST.toSeconds() + " seconds");
        if (fields.contains("Content-Encoding") || fields.contains("Content-Range"))
            return problem(
                    exchange, "unsupported-encoding", 415, "Unsupported media type", "expected content as it is");
        Optional<String> state = fields.first(STATE);
        String contentType = fields.first("Content-Type").orElse("application/octet-stream");
        if (state.orElse("").length() > LONGEST_TEXT || contentType.length() > LONGEST_TEXT)
            return problem(exchange, "malformed-request", 400, "Bad request", "a field is too long");
        byte[] content = exchange.body().bytes(MOST_BYTES);
        return switch (entries.keep(place, state, contentType, content, keep.get())) {
            case KEPT -> Response.of(204);
            case FORGOTTEN ->
                problem(exchange, "precondition-failed", 412, "Precondition failed", "the group is in another state");
            // No 5xx, by which whoever asks would take this member for broken.
            case NO_ROOM ->
                problem(exchange, "no-room", 429, "Too many requests", "too much is being kept")
                        .with("Retry-After", "1");
        };
    }

    private Response delete(EntryPlace place) {
        if (place.isGroup()) entries.forget(place.group());
        else entries.remove(place);
        return Response.of(204);
    }

    /// Strictly `max-age=N`, on one line, and nothing else.
    private static Optional<Duration> lifetime(List<String> lines) {
        if (lines.size() != 1) return Optional.empty();
        Matcher matcher = LIFETIME.matcher(lines.getFirst());
        if (!matcher.matches()) return Optional.empty();
        Duration lifetime = Duration.ofSeconds(Long.parseLong(matcher.group(1)));
        boolean isUsual = lifetime.isPositive() && lifetime.compareTo(ClusterEntries.LONGEST) <= 0;
        return isUsual ? Optional.of(lifetime) : Optional.empty();
    }

    private static Response wrongMethod(Exchange exchange, String allowed) {
        return problem(exchange, "method-not-allowed", 405, "Method not allowed", "expected " + allowed)
                .with("Allow", allowed);
    }

    private static Response unauthenticated(Exchange exchange) {
        return problem(exchange, "unauthenticated", 401, "Unauthorized", "expected Authorization: Bearer and a token")
                .with("WWW-Authenticate", "Bearer");
    }

    private static Response problem(Exchange exchange, String type, int status, String title, String detail) {
        return Problem.of(type, status, title, detail).toResponse(exchange.requestId());
    }
}
