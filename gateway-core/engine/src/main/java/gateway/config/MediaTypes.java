package gateway.config;

import gateway.http.Headers;
import gateway.json.ConfigNode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Media types that a message's content may have; `text/*` is any text.
///
/// @param types lower case, without parameters
record MediaTypes(List<String> types) {
    MediaTypes {
        types = List.copyOf(types);
    }

    static MediaTypes read(ConfigNode node) {
        return new MediaTypes(node.list(ConfigNode::requiredText).stream()
                .map(type -> type.toLowerCase(Locale.ROOT))
                .toList());
    }

    boolean isEmpty() {
        return types.isEmpty();
    }

    /// Whether the content is of one of them.
    boolean include(Headers headers) {
        Optional<String> header = headers.first("Content-Type");
        if (header.isEmpty()) return false;
        String found = mediaType(header.get());
        for (String type : types) {
            if (type.endsWith("/*") ? found.startsWith(type.substring(0, type.length() - 1)) : found.equals(type))
                return true;
        }
        return false;
    }

    private static String mediaType(String contentType) {
        int semicolon = contentType.indexOf(';');
        return (semicolon < 0 ? contentType : contentType.substring(0, semicolon))
                .strip()
                .toLowerCase(Locale.ROOT);
    }
}
