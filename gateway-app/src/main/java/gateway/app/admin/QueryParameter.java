package gateway.app.admin;

import gateway.json.Json;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// What operations of the admin API know behind `?`, as strict in the document as the server is.
enum QueryParameter {
    LIMIT("limit", "most items in one answer, 1 to 1000; 100 unless given", 1, 1000),
    CURSOR("cursor", "`next` of the page before"),
    OFFSET("cursor", "`next` of the page before", 0, QueryParameter.LARGEST_OFFSET),
    NAME("name", "only items whose name contains this"),
    API("api", "of this API, by its id", 1),
    ORDER("order", "what comes first: `bytes` (the largest, unless given) or `hits` (the hottest)", "bytes", "hits"),
    POLICY("policy", "of this policy, by its id in records", 1),
    SUBJECT("subject", "of this subject", 1),
    BEFORE("cursor", "`next` of the page before", 1, AdminCall.LARGEST),
    TO("to", "the other revision; the current one unless given", 0, AdminCall.LARGEST);

    static final int LARGEST_OFFSET = 1_000_000_000;

    private final String text;
    private final String meaning;
    private final boolean number;
    private final long min;
    private final long max;
    private final String choices; // apart by spaces; empty: any text
    private final int least; // characters

    QueryParameter(String text, String meaning, String... choices) {
        this.text = text;
        this.meaning = meaning;
        this.number = false;
        this.min = 0;
        this.max = 0;
        this.choices = String.join(" ", choices);
        this.least = 0;
    }

    QueryParameter(String text, String meaning, int least) {
        this.text = text;
        this.meaning = meaning;
        this.number = false;
        this.min = 0;
        this.max = 0;
        this.choices = "";
        this.least = least;
    }

    QueryParameter(String text, String meaning, long min, long max) {
        this.text = text;
        this.meaning = meaning;
        this.number = true;
        this.min = min;
        this.max = max;
        this.choices = "";
        this.least = 0;
    }

    /// A whole number as paths and queries have it.
    static ObjectNode whole(long min, long max) {
        return Json.mapper()
                .createObjectNode()
                .put("type", "integer")
                .put("minimum", min)
                .put("maximum", max);
    }

    String text() {
        return text;
    }

    String meaning() {
        return meaning;
    }

    ObjectNode schema() {
        if (number) return whole(min, max);
        ObjectNode schema = Json.mapper().createObjectNode().put("type", "string");
        if (least > 0) schema.put("minLength", least);
        if (!choices.isEmpty()) List.of(choices.split(" ", -1)).forEach(schema.putArray("enum")::add);
        return schema;
    }
}
