package gateway.app.commands;

import java.util.List;

/// What one request costs the gateway in CPU time: the slope of CPUs in use over requests a second, fitted by least
/// squares (the utilization law, U = X · D; Lazowska et al., "Quantitative System Performance", 1984).
///
/// @param micros CPU time a request, in microseconds
/// @param margin half the width of its 95 % interval, in microseconds; infinite from two points, which lie on a line
/// always
/// @param idle CPUs in use without requests
/// @param fit R², from 0 to 1: how much of what was seen a straight line explains
record ServiceTime(double micros, double margin, double idle, double fit) {
    /// Quantiles of Student's t for 95 %, two-sided, by degrees of freedom from 1; the normal one beyond.
    private static final double[] STUDENT = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228};

    private static final double NORMAL = 1.96;

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
        double unexplained = Math.max(0, spread - slope * together);
        double margin = margin(points.size() - 2, unexplained, alone);
        return new ServiceTime(slope * 1e6, margin * 1e6, Math.max(0, cpus - slope * rates), explained);
    }

    /// Of a slope (Montgomery, "Applied Statistics and Probability for Engineers", on simple linear regression).
    private static double margin(int freedom, double unexplained, double alone) {
        if (freedom < 1) return Double.POSITIVE_INFINITY;
        double quantile = freedom <= STUDENT.length ? STUDENT[freedom - 1] : NORMAL;
        return quantile * Math.sqrt(unexplained / freedom / alone);
    }

    /// The same at the upper end of its interval, where there is one: what is planned with.
    ServiceTime cautious() {
        return Double.isInfinite(margin) ? this : new ServiceTime(micros + margin, 0, idle, fit);
    }

    /// Requests a second that keep `cpus` CPUs busy to the share `use`.
    double capacity(double cpus, double use) {
        return Math.max(0, cpus * use - idle) / micros * 1e6;
    }

    private static double square(double number) {
        return number * number;
    }
}
