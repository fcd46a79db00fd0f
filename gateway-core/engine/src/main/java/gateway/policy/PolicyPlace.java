package gateway.policy;

/// Where a policy stands: names its counters so that a reload finds them again.
///
/// @param api the API's id
/// @param step unique in the API: the policy's type, or `type-2` for the second of that type and so on
public record PolicyPlace(String api, String step) {}
