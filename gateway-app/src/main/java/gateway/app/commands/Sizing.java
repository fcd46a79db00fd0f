package gateway.app.commands;

import gateway.app.settings.Tier;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// What each tier carries, computed from a service time and a latency that were measured.
///
/// @param latency how long a request is under way in the mean, upstream and all, in milliseconds
record Sizing(ServiceTime service, double latency) {
    /// The share of its CPUs that a gateway should use in the long run; the autoscaler's mark.
    static final double USE = 0.65;

    private static final int FEWEST_REPLICAS = 2; // one may go

    /// @param rps requests a second of one replica at [#USE]
    /// @param limit what is spent first
    /// @param replicas for the rate that is expected
    /// @param without share of its CPUs that each of the others uses while one replica is away
    record Row(Tier tier, double rps, Limit limit, long replicas, double without) {
        long cpus() {
            return replicas * tier.cpus();
        }
    }

    enum Limit {
        CPU,
        REQUESTS_IN_FLIGHT
    }

    /// @param expected requests a second that all replicas together shall carry
    List<Row> rows(double expected) {
        return Stream.of(Tier.values()).map(tier -> row(tier, expected)).toList();
    }

    /// The fewest CPUs, and of those the fewest replicas.
    Row recommended(double expected) {
        return rows(expected).stream()
                .min(Comparator.comparingLong(Row::cpus).thenComparingLong(Row::replicas))
                .orElseThrow();
    }

    private Row row(Tier tier, double expected) {
        double byCpu = service.capacity(tier.cpus(), USE);
        double inFlight = USE * tier.requestsInFlight() / latency * 1e3; // Little's law
        double rps = Math.min(byCpu, inFlight);
        long replicas = Math.max(FEWEST_REPLICAS, (long) Math.ceil(expected / rps));
        double each = expected / (replicas - 1);
        double without = (each * service.micros() / 1e6 + service.idle()) / tier.cpus();
        return new Row(tier, rps, byCpu <= inFlight ? Limit.CPU : Limit.REQUESTS_IN_FLIGHT, replicas, without);
    }
}
