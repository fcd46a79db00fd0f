package gateway.policy;

/// One entry of an API's `policies`.
///
/// @param step its name in the pipeline: the type, or `type-2` for the second of that type
public record PolicyDefinition(String step, Stage stage, PolicySpec spec, Condition when) {}
