package gateway.app.steering;

/// Whose turn it is in a cycle that is gone through again and again.
sealed interface TurnOrder permits SmoothTurns, StridingTurns {
    /// Turns of a cycle, the sum of the shares.
    int turns();

    /// @param turn 0 to less than [#turns]
    int place(int turn);
}
