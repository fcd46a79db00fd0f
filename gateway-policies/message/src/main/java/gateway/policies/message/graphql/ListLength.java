package gateway.policies.message.graphql;

import java.util.List;

/// How long a list may get by what one argument says.
sealed interface ListLength {
    /// Costs are added and multiplied up to this.
    long MOST = 1L << 50;

    /// As large as it was written.
    record Fixed(long length) implements ListLength {}

    /// By a variable.
    ///
    /// @param direct whether its value is the length; else a length may stand within it
    /// @param otherwise where the request gives it no value
    record Variable(String name, boolean direct, long otherwise) implements ListLength {}

    /// The largest of several; 1 when there are none.
    static long most(List<ListLength> lengths, VariableLengths variables) {
        long most = 1;
        for (ListLength each : lengths) {
            long length = switch (each) {
                case Fixed fixed -> fixed.length();
                case Variable variable -> variables.of(variable);
            };
            most = Math.max(most, length);
        }
        return most;
    }
}
