package gateway.component;

import gateway.component.ClusterEntries.Look;
import gateway.http.Exchange;
import gateway.http.HeaderField;
import gateway.http.Headers;
import gateway.http.Problem;
import gateway.http.Query;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.json.Json;
import gateway.service.Upstream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Entries by HTTP: `GET`, `HEAD`, `PUT` and `DELETE` of `/cache/{group}/{key}`; `GET`, `HEAD` and `DELETE` of
/// `/cache/{group}`, the last of entries with a tag too. What decides is looked at before a body is read.
final class EntryEndpoint implements Upstream {
    /// Bytes of the largest entry.
    static final int MOST_BYTES = 4 << 20;

    /// The state of a group, in answers; in requests the one that it has to be in.
    static final String STATE = "Cache-State";

    private static final int LONGEST_STATE = 128;
    private static final String OF_GROUPS = "GET, HEAD, DELETE";
    private static final String OF_ENTRIES = "GET, HEAD, PUT, DELETE";

    private final ClusterEntries entries;
    private final CacheCallers callers;
    private final InstantSource clock;

    EntryEndpoint(ClusterEntries entries, CacheCallers callers, InstantSource clock) {
        this.entries = entries;
        this.callers = callers;
        this.clock = clock;
    }

    @Override
    public Response send(Exchange exchange, UpstreamWaiter waiter) {
        if (!callers.admit(exchange)) return unauthenticated(exchange);
        Optional<EntryPlace> place = EntryPlace.of(exchange.rawPath());
        if (place.isEmpty()) return problem(exchange, "not-found", 404, "Not found", "no entry has such a name");
        try {
            Optional<String> tag = tag(exchange, place.get());
            return place.get().isGroup() ? ofGroup(exchange, place.get().group(), tag) : ofEntry(exchange, place.get());
        } catch (MalformedException e) {
            return malformed(exchange, e.detail());
        } catch (MemberSlowException e) {
            return problem(exchange, "dependency-unavailable", 503, "Service unavailable", "a member does not answer")
                    .with("Retry-After", "1");
        }
    }

    /// The one parameter that there is. Any other would ask for something else than is done.
    private static Optional<String> tag(Exchange exchange, EntryPlace place) {
        String query = exchange.head().query();
        if (query.isEmpty()) return Optional.empty();
        if (!place.isGroup() || !exchange.method().equals("DELETE")) throw new MalformedException("no parameters");
        Optional<String> tag = Query.first(query, "tag").filter(OfferReader::isTag);
        if (tag.isEmpty() || query.indexOf('&') >= 0 || !Query.isWellEscaped(query))
            throw new MalformedException("no parameter but one tag=, " + OfferReader.FORM_OF_TAGS);
        return tag;
    }

    private Response ofGroup(Exchange exchange, String group, Optional<String> tag) {
        return switch (exchange.method()) {
            case "GET", "HEAD" -> counted(entries.count(group));
            case "DELETE" -> {
                tag.ifPresentOrElse(each -> entries.forget(group, each), () -> entries.forget(group));
                yield Response.of(204);
            }
            default -> wrongMethod(exchange, OF_GROUPS);
        };
    }

    private static Response counted(GroupCount count) {
        String json = Json.compact(Json.mapper()
                .createObjectNode()
                .put("size", count.size())
                .put("hits", count.hits())
                .put("bytes", count.bytes()));
        return Response.of(200, "application/json", json.getBytes(StandardCharsets.UTF_8));
    }

    private Response ofEntry(Exchange exchange, EntryPlace place) {
        return switch (exchange.method()) {
            case "GET", "HEAD" -> get(exchange, place);
            case "PUT" -> put(exchange, place);
            case "DELETE" -> {
                entries.remove(place);
                yield Response.of(204);
            }
            default -> wrongMethod(exchange, OF_ENTRIES);
        };
    }

    private Response get(Exchange exchange, EntryPlace place) {
        Look look = entries.find(place);
        if (look.entry().isEmpty()) return Response.of(404).with(STATE, look.state());
        StoredEntry entry = look.entry().get();
        EntryHead head = entry.head();
        String tag = '"' + head.version() + '"';
        boolean isKnown = isKnown(tag, exchange.headers().all("If-None-Match"));
        Response answer = isKnown ? Response.of(304) : whole(entry);
        return answer.with("ETag", tag)
                .with("Cache-Control", "max-age=" + secondsTo(head.end()))
                .with(STATE, look.state());
    }

    private static Response whole(StoredEntry entry) {
        Response answer =
                Response.of(200, entry.head().contentType(), entry.body().content());
        for (HeaderField field : entry.head().fields()) answer.headers().add(field.name(), field.value());
        return answer;
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
        if (fields.contains("Content-Encoding") || fields.contains("Content-Range"))
            return problem(
                    exchange, "unsupported-encoding", 415, "Unsupported media type", "expected content as it is");
        Optional<String> state = fields.first(STATE);
        if (state.orElse("").length() > LONGEST_STATE) return malformed(exchange, "expected a state as it was given");
        return switch (entries.keep(place, state, OfferReader.read(exchange, MOST_BYTES))) {
            case KEPT -> Response.of(204);
            case FORGOTTEN ->
                problem(exchange, "precondition-failed", 412, "Precondition failed", "the group is in another state");
            // No 5xx, by which whoever asks would take this member for broken.
            case NO_ROOM ->
                problem(exchange, "no-room", 429, "Too many requests", "too much is being kept")
                        .with("Retry-After", "1");
        };
    }

    private static Response malformed(Exchange exchange, String detail) {
        return problem(exchange, "malformed-request", 400, "Bad request", detail);
    }

    private static Response wrongMethod(Exchange exchange, String allowed) {
        return problem(exchange, "method-not-allowed", 405, "Method not allowed", "expected " + allowed)
                .with("Allow", allowed);
    }

    private static Response unauthenticated(Exchange exchange) {
        return problem(
                        exchange,
                        "unauthenticated",
                        401,
                        "Unauthorized",
                        "expected Authorization: Bearer and a token, or a certificate that is known")
                .with("WWW-Authenticate", "Bearer");
    }

    private static Response problem(Exchange exchange, String type, int status, String title, String detail) {
        return Problem.of(type, status, title, detail).toResponse(exchange.requestId());
    }
}
