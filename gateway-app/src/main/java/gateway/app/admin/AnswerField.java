package gateway.app.admin;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// A header field of answers that clients of the admin API rely on.
enum AnswerField {
    REQUEST_ID("X-Request-Id", "names this request in the log"),
    ETAG("ETag", "of what is stored, for `If-Match` and `If-None-Match`"),
    LOCATION("Location", "the path of what was created"),
    RETRY_AFTER("Retry-After", "seconds after which another try may succeed"),
    WWW_AUTHENTICATE("WWW-Authenticate", "the form of credentials that is expected");

    private final String text;
    private final String meaning;

    AnswerField(String text, String meaning) {
        this.text = text;
        this.meaning = meaning;
    }

    String text() {
        return text;
    }

    /// Those that an answer always carries.
    static List<AnswerField> of(AdminRoute route, int status) {
        var fields = new ArrayList<>(List.of(REQUEST_ID));
        boolean tagged = route.isTagged() || route.conditional();
        if (status == 201 || (tagged && (status == 200 || status == 304))) fields.add(ETAG);
        if (status == 201) fields.add(LOCATION);
        if (status == 401) fields.add(WWW_AUTHENTICATE);
        if (status == 503) fields.add(RETRY_AFTER);
        return List.copyOf(fields);
    }

    /// Adds all of them to the headers that an OpenAPI document names.
    static void describe(ObjectNode headers) {
        for (AnswerField each : values()) {
            headers.putObject(each.text)
                    .put("required", true)
                    .put("description", each.meaning)
                    .putObject("schema")
                    .put("type", "string");
        }
    }
}
