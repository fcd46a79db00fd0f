package gateway.policies.message.openapi;

import java.util.Map;
import java.util.Optional;

/// The content of a message as a document has it.
///
/// @param required whether there has to be some
/// @param media what it has to be, by media type without parameters or range such as `text/*`; a type that is here
///     without a schema may be anything
record DescribedContent(boolean required, Map<String, Optional<MediaSchema>> media) {
    static final DescribedContent NONE = new DescribedContent(false, Map.of());

    DescribedContent {
        media = Map.copyOf(media);
    }

    /// Whether content of this type may be there at all.
    boolean takes(String type) {
        return media.containsKey(key(type));
    }

    /// @param type that it takes
    Optional<MediaSchema> schema(String type) {
        return media.getOrDefault(key(type), Optional.empty());
    }

    /// The most exact one counts.
    private String key(String type) {
        if (media.containsKey(type)) return type;
        String range = type.substring(0, Math.max(0, type.indexOf('/'))) + "/*";
        return media.containsKey(range) ? range : "*/*";
    }
}
