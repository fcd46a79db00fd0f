package gateway.policies.message.schema;

import java.util.Optional;

/// An edition of JSON Schema.
public enum SchemaDraft {
    DRAFT_4("http://json-schema.org/draft-04/schema"),
    DRAFT_6("http://json-schema.org/draft-06/schema"),
    DRAFT_7("http://json-schema.org/draft-07/schema"),
    DRAFT_2019_09("https://json-schema.org/draft/2019-09/schema"),
    DRAFT_2020_12("https://json-schema.org/draft/2020-12/schema");

    private final String uri;

    SchemaDraft(String uri) {
        this.uri = uri;
    }

    /// The one that `$schema` names.
    static Optional<SchemaDraft> of(String schema) {
        String bare = schema.endsWith("#") ? schema.substring(0, schema.length() - 1) : schema;
        for (SchemaDraft each : values()) if (each.uri.equals(bare)) return Optional.of(each);
        return Optional.empty();
    }

    boolean isBefore(SchemaDraft other) {
        return compareTo(other) < 0;
    }

    /// The keyword that names a schema.
    String id() {
        return this == DRAFT_4 ? "id" : "$id";
    }

    /// Whether nothing beside `$ref` counts.
    boolean refersAlone() {
        return isBefore(DRAFT_2019_09);
    }
}
