package gateway.app.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// What an OpenAPI document promises of each operation's answers.
///
/// @param paths of the document
record Promises(JsonNode paths) {
    private static final Pattern PLACE = Pattern.compile("\\{\\w+}");

    static Promises of(JsonNode document) {
        return new Promises(document.get("paths"));
    }

    /// Fails when `status` is none that the document promises. Of what is no operation it promises nothing.
    ///
    /// @param path as it was sent, below `/admin/v1`
    void check(String method, String path, int status) {
        for (String template : paths.propertyNames()) {
            JsonNode operation = paths.get(template).path(method.toLowerCase(Locale.ROOT));
            if (operation.isMissingNode() || !matches(template, path)) continue;
            assertThat(operation.get("responses").propertyNames())
                    .as("documented answers of %s %s, asked as %s", method, template, path)
                    .contains(Integer.toString(status));
        }
    }

    private static boolean matches(String template, String path) {
        return path.matches(PLACE.matcher(template).replaceAll("[^/]+"));
    }
}
