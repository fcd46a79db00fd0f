package gateway.policy;

/// What a policy needs of the bodies of a request and of its answer. The pipeline makes it ready before it
/// calls the policy.
public record BodyUse(BodyAccess request, BodyAccess response) {
    /// Bodies stream past.
    public static final BodyUse NONE = new BodyUse(BodyAccess.NONE, BodyAccess.NONE);

    public static BodyUse ofRequests(BodyAccess access) {
        return new BodyUse(access, BodyAccess.NONE);
    }

    public static BodyUse ofResponses(BodyAccess access) {
        return new BodyUse(BodyAccess.NONE, access);
    }
}
