package gateway.app.admin;

import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.json.Json;
import gateway.policy.Services;
import gateway.service.CacheEntries;
import gateway.service.CacheEntries.Entry;
import gateway.service.CachePurge;
import gateway.service.CachePurgeJson;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The answers that `cache` policies keep on this node, and what is not to be given any more on all: `/cache`.
final class CacheResource {
    private static final long MOST_AT_ONCE = 1000;

    private final Services services;
    private final Definitions definitions;

    CacheResource(Services services, Definitions definitions) {
        this.services = services;
        this.definitions = definitions;
    }

    List<AdminRoute> routes() {
        return List.of(
                AdminRoute.of("GET", "/cache", "listCaches", "How `cache` policies fare on this node", this::caches)
                        .knowing(QueryParameter.LIMIT, QueryParameter.OFFSET, QueryParameter.NAME)
                        .answering(200, "a page of APIs whose answers are kept, by id", "CachePage"),
                AdminRoute.of(
                                "GET",
                                "/cache/entries",
                                "listCacheEntries",
                                "Answers that are kept on this node",
                                this::entries)
                        .knowing(
                                QueryParameter.LIMIT,
                                QueryParameter.OFFSET,
                                QueryParameter.API,
                                QueryParameter.NAME,
                                QueryParameter.ORDER)
                        .answering(200, "a page of answers, the largest or the hottest first", "CacheEntryPage"),
                AdminRoute.of("POST", "/cache/purge", "purgeCache", "Has answers forgotten on all nodes", this::purge)
                        .taking("CachePurge")
                        .askingStore()
                        .answering(200, "how many were kept on this node", "Purged"));
    }

    private Response caches(AdminCall call) {
        String part = call.query().getOrDefault("name", "");
        List<CacheTotals> found = CacheTotals.of(services.parts()).stream()
                .filter(each -> each.api().contains(part))
                .toList();
        return page(call, found.stream(), CacheTotals::json);
    }

    private Response entries(AdminCall call) {
        String api = call.named("api");
        String part = call.query().getOrDefault("name", "");
        return page(
                call,
                kept().filter(each -> api.isEmpty() || each.api().equals(api))
                        .filter(each -> (each.host() + each.path()).contains(part))
                        .sorted(order(call)),
                CacheResource::json);
    }

    private static Comparator<Entry> order(AdminCall call) {
        Comparator<Entry> order = switch (call.query().getOrDefault("order", "bytes")) {
            case "bytes" -> Comparator.comparingLong(Entry::bytes);
            case "hits" -> Comparator.comparingLong(Entry::hits);
            default -> throw AdminProblem.badRequest("order: expected bytes or hits");
        };
        return order.reversed().thenComparing(Entry::api).thenComparing(Entry::path);
    }

    private Stream<Entry> kept() {
        return services.parts().inUse(CacheEntries.class).stream().flatMap(each -> each.entries().stream());
    }

    private static <T> Response page(AdminCall call, Stream<T> all, Function<T, ObjectNode> form) {
        int limit = (int) call.number("limit", 1, MOST_AT_ONCE, 100);
        int from = (int) call.number("cursor", 0, QueryParameter.LARGEST_OFFSET, 0);
        List<T> found = all.skip(from).limit(limit + 1L).toList();
        boolean more = found.size() > limit;
        Optional<String> next = more ? Optional.of(Integer.toString(from + limit)) : Optional.empty();
        return Answers.page(more ? found.subList(0, limit) : found, form::apply, next);
    }

    private static ObjectNode json(Entry entry) {
        ObjectNode json = Json.mapper()
                .createObjectNode()
                .put("api", entry.api())
                .put("host", entry.host())
                .put("path", entry.path())
                .put("status", entry.status())
                .put("bytes", entry.bytes())
                .put("hits", entry.hits())
                .put("received", entry.received().toString())
                .put("freshSeconds", entry.fresh().toSeconds());
        ArrayNode tags = json.putArray("tags");
        entry.tags().stream().sorted().forEach(tags::add);
        return json;
    }

    /// Here first: where the store is away, this node's are gone at least.
    private Response purge(AdminCall call) {
        ConfigNode node = ConfigNode.of(call.json());
        CachePurge purge = CachePurgeJson.read(node);
        node.throwIfInvalid();
        int purged = 0;
        for (CacheEntries each : services.parts().inUse(CacheEntries.class)) purged += each.purge(purge);
        definitions.audited(
                call.author(), call.inWords() + ' ' + CachePurgeJson.write(purge) + " (" + purged + " here)");
        services.purges().tell(purge);
        return Answers.ok(Json.mapper().createObjectNode().put("purged", purged));
    }
}
