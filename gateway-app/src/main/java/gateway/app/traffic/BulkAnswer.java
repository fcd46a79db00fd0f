package gateway.app.traffic;

import gateway.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// What `_bulk` says of each record it was sent, in their order.
///
/// @param items empty when all were created
record BulkAnswer(List<Item> items) {
    /// The parts of the answer that [#read] needs.
    static final String FILTER = "errors,items.*.status,items.*.error.type,items.*.error.reason";

    private static final String FINE = "\"errors\":false";
    private static final BulkAnswer ALL_CREATED = new BulkAnswer(List.of());
    private static final Item CREATED = new Item(201, "", "");

    BulkAnswer {
        items = List.copyOf(items);
    }

    /// @param status HTTP status of this record alone
    /// @param type Elasticsearch's name of the error
    record Item(int status, String type, String reason) {
        /// A record whose id is there already was sent before, and its answer was lost.
        boolean isIndexed() {
            return status < 300 || status == 409;
        }

        boolean mayWorkLater() {
            return status == 429 || status >= 500;
        }
    }

    /// @throws gateway.json.InvalidConfigException when `body` is not JSON
    static BulkAnswer read(byte[] body) {
        String head = new String(body, 0, Math.min(body.length, 64), StandardCharsets.UTF_8);
        if (head.contains(FINE)) return ALL_CREATED;
        JsonNode tree = Json.parse(new String(body, StandardCharsets.UTF_8));
        if (!tree.path("errors").asBoolean(true)) return ALL_CREATED;
        var items = new ArrayList<Item>();
        for (JsonNode item : tree.path("items")) items.add(read(item.path("create")));
        return new BulkAnswer(items);
    }

    /// Whether it speaks of exactly `count` records.
    boolean covers(int count) {
        return items.isEmpty() || items.size() == count;
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

    private static Item read(JsonNode create) {
        JsonNode error = create.path("error");
        return new Item(
                create.path("status").asInt(500),
                error.path("type").asString(""),
                error.path("reason").asString(""));
    }
}
