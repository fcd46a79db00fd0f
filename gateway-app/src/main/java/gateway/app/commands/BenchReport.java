package gateway.app.commands;

import gateway.app.settings.Tier;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/// What was measured and what follows from it, as Markdown that a terminal shows well too.
///
/// @param subject what was measured, in words
/// @param points one a rate, in the order driven
/// @param expected requests a second that all replicas together shall carry
record BenchReport(String subject, List<RateResult> points, OptionalDouble expected) {
    private static final int LEAST_POINTS = 2;
    private static final double LEAST_FIT = 0.9;
    private static final int BAR = 30;

    /// Those where machine and gateway kept up and every answer was good.
    List<RateResult> sound() {
        return points.stream().filter(RateResult::isSound).toList();
    }

    /// Whether there are points enough, and whether they lie on a rising line.
    boolean isConclusive() {
        return isCarried() && service().micros() > 0 && service().fit() >= LEAST_FIT;
    }

    private boolean isCarried() {
        return sound().stream().mapToDouble(RateResult::answered).distinct().count() >= LEAST_POINTS;
    }

    ServiceTime service() {
        return ServiceTime.of(sound());
    }

    String markdown() {
        String measured = "# gateway bench: " + subject + "\n\n" + measured();
        if (!isCarried()) {
            return measured + "\nFewer than " + LEAST_POINTS + " rates were carried with good answers only:"
                    + " nothing is fitted and no tier recommended. Give lower `--rates`.\n";
        }
        if (!isConclusive()) {
            return measured + "\n" + fitted() + "\nThat is no straight line (R² under " + LEAST_FIT
                    + "): the machine was busy with other things. No tier is recommended; measure again on a quiet"
                    + " machine, or for longer with `--seconds`.\n";
        }
        return measured + "\n" + fitted() + "\n" + tiers()
                + expected().stream().mapToObj(this::recommendation).collect(Collectors.joining());
    }

    private String measured() {
        var text = new StringBuilder("""
            | requests/s | answered/s | P50 ms | P99 ms | late P99 ms | CPUs of the gateway | |
            |---:|---:|---:|---:|---:|---:|---|
            """);
        double most = points.stream().mapToDouble(RateResult::cpus).max().orElse(1);
        for (RateResult point : points) {
            text.append(String.format(
                    Locale.ROOT,
                    "| %.0f | %.0f | %.2f | %.2f | %.2f | %.2f | `%s`%s |\n",
                    point.offered(),
                    point.answered(),
                    point.latency().p50(),
                    point.latency().p99(),
                    point.latency().lagP99(),
                    point.cpus(),
                    "█".repeat((int) Math.round(BAR * point.cpus() / most)),
                    remark(point)));
        }
        return text + "\n“late” is how late the load generator itself was, which is part of the latencies.\n";
    }

    private static String remark(RateResult point) {
        if (point.isSound()) return "";
        return String.format(
                Locale.ROOT,
                " left out: %d not sent in time, %d not answered, %d refused (last with %d), %d connections broken",
                point.late(),
                point.missed(),
                point.refused(),
                point.refusal(),
                point.broken());
    }

    private String fitted() {
        ServiceTime service = service();
        String interval = Double.isInfinite(service.margin())
                ? "no interval from two rates"
                : String.format(Locale.ROOT, "± %.1f µs with 95 %% confidence", service.margin());
        return String.format(
                Locale.ROOT,
                "A request costs **%.1f µs** of CPU time (%s); without requests the gateway uses %.3f CPUs (R² %.4f).\n",
                service.micros(),
                interval,
                service.idle(),
                service.fit());
    }

    private String tiers() {
        var text = new StringBuilder(String.format(
                Locale.ROOT,
                "\n| tier | CPUs | requests/s of one replica at %.0f %% CPU | spent first |%s\n|---|---:|---:|---|%s\n",
                100 * Sizing.USE,
                expected.isPresent()
                        ? String.format(
                                Locale.ROOT, " replicas for %.0f/s | CPU while one is away |", expected.getAsDouble())
                        : "",
                expected.isPresent() ? "---:|---:|" : ""));
        for (Sizing.Row row : sizing().rows(expected.orElse(0))) {
            String spent = row.limit() == Sizing.Limit.CPU ? "CPU" : "requests in flight";
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %d | %.0f | %s |",
                    row.tier(),
                    row.tier().cpus(),
                    row.rps(),
                    spent));
            if (expected.isPresent())
                text.append(String.format(Locale.ROOT, " %d | %.0f %% |", row.replicas(), 100 * row.without()));
            text.append('\n');
        }
        return text + "\nMore CPUs than one are computed, not measured: twice the CPUs, twice the requests.\n";
    }

    private String recommendation(double rate) {
        Sizing.Row row = sizing().recommended(rate);
        Tier tier = row.tier();
        return String.format(
                Locale.ROOT,
                "\n**For %.0f requests/s: %d replicas of %s** (%d CPUs).\n",
                rate,
                row.replicas(),
                tier,
                row.cpus());
    }

    private Sizing sizing() {
        long requests = sound().stream().mapToLong(RateResult::requests).sum();
        double waited = sound().stream()
                .mapToDouble(point -> point.latency().mean() * point.requests())
                .sum();
        return new Sizing(service().cautious(), waited / requests);
    }
}
