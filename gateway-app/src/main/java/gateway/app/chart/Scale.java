package gateway.app.chart;

import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/// Where values lie between two edges of a drawing: evenly, from the lowest round step to the highest.
///
/// @param step what lies between two marks
record Scale(double lowest, double highest, double step, double from, double to) {
    private static final int STEPS = 5;
    private static final double[] ROUND = {1, 2, 2.5, 5, 10};

    /// Over all `values` and 0.
    static Scale over(DoubleStream values, double from, double to) {
        var seen = DoubleStream.concat(DoubleStream.of(0), values).summaryStatistics();
        double range = seen.getMax() - seen.getMin();
        double step = range > 0 ? step(range / STEPS) : 1;
        double lowest = Math.floor(seen.getMin() / step + 1e-9) * step;
        double highest = Math.max(lowest + step, Math.ceil(seen.getMax() / step - 1e-9) * step);
        return new Scale(lowest, highest, step, from, to);
    }

    private static double step(double rough) {
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        for (double round : ROUND) if (round * power >= rough * 0.999) return round * power;
        return 10 * power;
    }

    double place(double value) {
        return from + (to - from) * (value - lowest) / (highest - lowest);
    }

    DoubleStream marks() {
        return IntStream.rangeClosed(0, (int) Math.round((highest - lowest) / step))
                .mapToDouble(index -> lowest + index * step);
    }

    /// A value as people read it: `12,500`, `0.25`, `3 M`.
    static String words(double value) {
        double size = Math.abs(value);
        if (size >= 1e6)
            return String.format(Locale.ROOT, "%.4g M", value / 1e6).replaceFirst("\\.?0+ M", " M");
        if (size >= 100 || value == Math.rint(value)) return String.format(Locale.ROOT, "%,.0f", value);
        return String.format(Locale.ROOT, "%.4f", value).replaceFirst("\\.?0+$", "");
    }
}
