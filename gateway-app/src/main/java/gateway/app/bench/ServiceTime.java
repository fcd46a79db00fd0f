package gateway.app.bench;

import java.util.List;

/// What one request costs the gateway in CPU time: the slope of CPUs in use over requests a second, fitted by least
/// squares (the utilization law, U = X · D; Lazowska et al., "Quantitative System Performance", 1984).
///
/// @param micros CPU time a request, in microseconds
/// @param idle CPUs in use without requests
/// @param fit R², from 0 to 1: how much of what was seen a straight line explains
record ServiceTime(double micros, double idle, double fit) {
    /// @param points at two different rates at least
    static ServiceTime of(List<RateResult> points) {
        double rates =
                points.stream().mapToDouble(RateResult::answered).average().orElseThrow();
        double cpus = points.stream().mapToDouble(RateResult::cpus).average().orElseThrow();
        double together = 0;
        double alone = 0;
        double spread = 0;
        for (RateResult point : points) {
            together += (point.answered() - rates) * (point.cpus() - cpus);
            alone += square(point.answered() - rates);
            spread += square(point.cpus() - cpus);
        }
        if (alone == 0) throw new IllegalArgumentException("expected two different rates, got " + points.size());
        double slope = together / alone;
        double explained = spread == 0 ? 1 : square(together) / (alone * spread);
        return new ServiceTime(slope * 1e6, Math.max(0, cpus - slope * rates), explained);
    }

    /// Requests a second that keep `cpus` CPUs busy to the share `use`.
    double capacity(double cpus, double use) {
        return Math.max(0, cpus * use - idle) / micros * 1e6;
    }

    private static double square(double number) {
        return number * number;
    }
}
