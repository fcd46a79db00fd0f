package gateway.app.settings;

/// When a node whose store is away says that requests should go elsewhere.
public enum ReadinessRule {
    /// When every API would refuse its requests: a balancer that takes all nodes out takes down what they could serve.
    SERVING,
    /// When any policy refuses requests for it.
    STRICT
}
