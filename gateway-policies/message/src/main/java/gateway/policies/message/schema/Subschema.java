package gateway.policies.message.schema;

/// One schema, compiled. Schemas refer to each other in circles, so what it checks is set once all are known.
final class Subschema {
    private static final Check[] NONE = new Check[0];

    final SchemaResource resource;
    final boolean marks; // whether one of its checks asks what others have evaluated
    private Check[] checks = NONE;

    Subschema(SchemaResource resource, boolean marks) {
        this.resource = resource;
        this.marks = marks;
    }

    void checks(Check[] all) {
        checks = all;
    }

    Check[] checks() {
        return checks;
    }
}
