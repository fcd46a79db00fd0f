package gateway.policies.message.schema;

import java.util.Optional;

/// An edition of JSON Schema.
public enum SchemaDraft {
    /// What OpenAPI 3.0 made of draft 5, which differs from draft 4 in nothing: schemas do not name it.
    OPENAPI_3_0("https://spec.openapis.org/oas/3.0/dialect"),
    DRAFT_4("http://json-schema.org/draft-04/schema"),
    DRAFT_6("http://json-schema.org/draft-06/schema"),
    DRAFT_7("http://json-schema.org/draft-07/schema"),
    DRAFT_2019_09("https://json-schema.org/draft/2019-09/schema"),
    DRAFT_2020_12("https://json-schema.org/draft/2020-12/schema");

    /// What schemas of OpenAPI 3.1 are read by, unless they say otherwise.
    private static final String OPENAPI_3_1 = "https://spec.openapis.org/oas/3.1/dialect/base";

    private final String uri;

    SchemaDraft(String uri) {
        this.uri = uri;
    }

    /// The one that `$schema` names.
    public static Optional<SchemaDraft> of(String schema) {
        String bare = schema.endsWith("#") ? schema.substring(0, schema.length() - 1) : schema;
        if (bare.equals(OPENAPI_3_1)) return Optional.of(DRAFT_2020_12);
        for (SchemaDraft each : values()) {
            if (each != OPENAPI_3_0 && each.uri.equals(bare)) return Optional.of(each);
        }
        return Optional.empty();
    }

    /// Whether it is without what draft 6 brought: `const`, `contains`, bounds that exclude by a number of their own.
    boolean isOld() {
        return isBefore(DRAFT_6);
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
