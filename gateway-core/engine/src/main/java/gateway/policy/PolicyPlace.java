package gateway.policy;

/// Where a policy stands: names its counters so that a reload finds them again.
///
/// @param api the API's id
/// @param step unique in the API: the policy's id, or its type, or `type-2` for the second of that type and so on;
/// after `v1/` in a version and `set:gold/` in a policy set
/// @param shared whether it counts for all APIs together
public record PolicyPlace(String api, String step, boolean shared) {
    /// One that counts for its API alone.
    public PolicyPlace(String api, String step) {
        this(api, step, false);
    }

    /// What its counters are named by: `orders/rate-limit`, or `set:gold/rate-limit` for all APIs together.
    public String counter() {
        return shared ? step : api + '/' + step;
    }
}
