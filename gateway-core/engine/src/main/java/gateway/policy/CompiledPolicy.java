package gateway.policy;

/// What a [PolicySpec] compiles to: a [Policy], or a [LimitPolicy] that is decided together with its neighbours.
public sealed interface CompiledPolicy permits Policy, LimitPolicy {}
