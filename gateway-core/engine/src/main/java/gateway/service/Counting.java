package gateway.service;

/// How nodes share a count.
public enum Counting {
    /// Every request is decided on the shared count.
    EXACT,
    /// A node takes a slice of what is left and spends it locally; never more than the limit over all nodes.
    LEASED
}
