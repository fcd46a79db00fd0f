package gateway.app.traffic;

import gateway.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// What `_bulk` says of each record it was sent, in their order.
///
/// @param count records it speaks of
/// @param items empty when all were created
record BulkAnswer(int count, List<Item> items) {
    /// The parts of the answer that [#read] needs.
    static final String FILTER = "errors,items.*.status,items.*.error.type,items.*.error.reason";

    private static final Set<Integer> PASSING = Set.of(401, 403, 404, 408, 429);
    private static final byte[] CREATED_ITEM = "{\"create\":{\"status\":201}}".getBytes(StandardCharsets.US_ASCII);
    private static final Item CREATED = new Item(201, "", "");

    BulkAnswer {
        items = List.copyOf(items);
    }

    BulkAnswer(List<Item> items) {
        this(items.size(), items);
    }

    /// @param status HTTP status of this record alone
    /// @param type Elasticsearch's name of the error
    record Item(int status, String type, String reason) {
        /// A record whose id is there already was sent before, and its answer was lost.
        boolean isIndexed() {
            return (status >= 200 && status < 300) || status == 409;
        }

        /// Privileges, a missing stream and overload are mended elsewhere; a status that is none says nothing.
        boolean mayWorkLater() {
            return !isIndexed() && (status < 400 || status >= 500 || PASSING.contains(status));
        }
    }

    /// @throws gateway.json.InvalidConfigException when `body` is not JSON
    static BulkAnswer read(byte[] body) {
        int created = created(body);
        if (created > 0) return new BulkAnswer(created, List.of());
        JsonNode tree = Json.parse(new String(body, StandardCharsets.UTF_8));
        var items = new ArrayList<Item>();
        for (JsonNode item : tree.path("items")) items.add(read(item.path("create")));
        return new BulkAnswer(items);
    }

    /// Whether it speaks of exactly `count` records.
    boolean covers(int count) {
        return this.count == count;
    }

    /// Records that may be taken later.
    int later() {
        int count = 0;
        for (Item item : items) if (item.mayWorkLater()) count++;
        return count;
    }

    /// Why the first of them was not taken now; empty when there is none.
    String laterReason() {
        for (Item item : items) {
            if (item.mayWorkLater()) return "status " + item.status() + ", " + item.type() + ": " + item.reason();
        }
        return "";
    }

    Item item(int record) {
        return items.isEmpty() ? CREATED : items.get(record);
    }

    /// How many records an answer speaks of that says of each that it was created, as nearly all do: no tree is
    /// needed. Otherwise 0.
    private static int created(byte[] body) {
        int objects = 0;
        int created = 0;
        for (int i = 0; i < body.length; i++) {
            if (body[i] != '{') continue;
            objects++;
            int end = i + CREATED_ITEM.length;
            if (end > body.length || !Arrays.equals(body, i, end, CREATED_ITEM, 0, CREATED_ITEM.length)) continue;
            created++;
            i = end - 1;
        }
        return objects == created + 1 ? created : 0;
    }

    private static Item read(JsonNode create) {
        JsonNode error = create.path("error");
        return new Item(
                create.path("status").asInt(500),
                error.path("type").asString(""),
                error.path("reason").asString(""));
    }
}
