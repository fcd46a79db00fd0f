package gateway.policies.message.graphql;

/// A request of GraphQL does not go on.
final class QueryRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient QueryRefusal refusal;

    private QueryRefusedException(QueryRefusal refusal) {
        super(refusal.message(), null, false, false); // made for each of a flood
        this.refusal = refusal;
    }

    /// The request as HTTP carries it is none of GraphQL.
    static QueryRefusedException malformed(String message) {
        return new QueryRefusedException(new QueryRefusal("malformed-content", 400, message, false));
    }

    /// Its document is none, or contradicts itself.
    static QueryRefusedException invalid(String message) {
        return new QueryRefusedException(new QueryRefusal("malformed-content", 400, message, true));
    }

    /// More than there may be.
    static QueryRefusedException tooComplex(String expected) {
        return new QueryRefusedException(new QueryRefusal("content-too-complex", 400, "expected " + expected, true));
    }

    static QueryRefusedException tooManyTokens(int most) {
        return tooComplex("at most " + most + " tokens");
    }

    static QueryRefusedException tooLong(int most) {
        return tooComplex("at most " + most + " characters");
    }

    /// What a definition does not want.
    static QueryRefusedException unwanted(String message) {
        return new QueryRefusedException(new QueryRefusal("content-refused", 403, message, true));
    }

    /// @param status that stays, whatever the client accepts
    static QueryRefusedException of(String reason, int status, String message) {
        return new QueryRefusedException(new QueryRefusal(reason, status, message, false));
    }

    /// @param message that clients of Apollo go by, such as `PersistedQueryNotFound`
    static QueryRefusedException unknownQuery(String message) {
        return new QueryRefusedException(new QueryRefusal("content-refused", 400, message, true));
    }

    QueryRefusal refusal() {
        return refusal;
    }
}
