package gateway.app.admin;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// What an OpenAPI document promises of each operation's answers.
///
/// @param paths of the document
/// @param fields header fields that answers name, by the names that they have in the document
record Promises(JsonNode paths, JsonNode fields) {
    private static final Pattern PLACE = Pattern.compile("\\{\\w+}");

    static Promises of(JsonNode document) {
        return new Promises(document.get("paths"), document.at("/components/headers"));
    }

    /// Fails when `status` is none that the document promises, or when a field is missing that it promises of answers
    /// with this status, or is there without a promise. Of what is no operation it promises nothing.
    ///
    /// @param path as it was sent, below `/admin/v1`
    /// @param carried names of the answer's fields in small letters
    void check(String method, String path, int status, Set<String> carried) {
        for (String template : paths.propertyNames()) {
            JsonNode operation = paths.get(template).path(method.toLowerCase(Locale.ROOT));
            if (operation.isMissingNode() || !matches(template, path)) continue;
            assertThat(operation.get("responses").propertyNames())
                    .as("documented answers of %s %s, asked as %s", method, template, path)
                    .contains(Integer.toString(status));
            Set<String> promised = operation.at("/responses/" + status + "/headers").propertyNames().stream()
                    .collect(toSet());
            assertThat(fields.propertyNames().stream().filter(name -> carried.contains(name.toLowerCase(Locale.ROOT))))
                    .as("documented fields of %s %s %s", method, template, status)
                    .containsExactlyInAnyOrderElementsOf(promised);
        }
    }

    private static boolean matches(String template, String path) {
        return path.matches(PLACE.matcher(template).replaceAll("[^/]+"));
    }
}
