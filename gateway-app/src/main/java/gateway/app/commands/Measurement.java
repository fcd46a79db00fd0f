package gateway.app.commands;

import gateway.app.settings.StartException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Drives a gateway at one rate after the other.
///
/// @param perRate how long each rate lasts
/// @param progress told what is being done, line by line
record Measurement(ChildGateway gateway, FixedRate load, Duration perRate, Consumer<String> progress) {
    private static final double FIRST_RATE = 20;
    private static final int WARM_UP = 3; // times as long as a rate
    private static final List<Double> SHARES = List.of(0.1, 0.25, 0.4, 0.55, 0.7, 0.85);

    /// Sends a few requests, to see that they are answered well.
    ///
    /// @throws StartException when they are not
    void rehearse() throws IOException {
        RateResult first = load.run(FIRST_RATE, Duration.ofSeconds(1));
        if (first.refused() > 0) throw new StartException(advice(first.refusal()));
        if (first.requests() == 0) throw new StartException("requests are not answered");
    }

    private static String advice(int status) {
        if (status >= 502 && status <= 504) {
            return "requests are answered " + status + ": the service behind the API cannot be reached, or fails";
        }
        return "requests are answered " + status + ": give the method, the path or the headers that the API lets"
                + " through, or a definition whose limits are wider";
    }

    /// Lets the JVM compile at a rate that the operator asks for, so that a real service sees no more than that.
    void warmUp(double rate) throws IOException {
        Duration warmUp = perRate.multipliedBy(WARM_UP);
        progress.accept("warming up for %d s at %.0f requests/s".formatted(warmUp.toSeconds(), rate));
        load.run(rate, warmUp);
    }

    /// As many requests a second as the gateway answers on this machine, once it is warm.
    double peak() throws IOException {
        Duration warmUp = perRate.multipliedBy(WARM_UP);
        progress.accept("warming up for " + warmUp.toSeconds() + " s, then looking for the peak");
        load.peak(warmUp);
        RateResult found = load.peak(perRate);
        if (found.refused() == 0) return found.answered();
        progress.accept(
                "at the peak, %d of %d requests were answered %d: lower rates are needed, by --rates, or wider limits"
                        .formatted(found.refused(), found.requests(), found.refusal()));
        return found.answered() * (1 - (double) found.refused() / found.requests());
    }

    static List<Double> rates(double peak) {
        return SHARES.stream().map(share -> share * peak).toList();
    }

    List<RateResult> at(List<Double> rates) throws IOException {
        var results = new ArrayList<RateResult>();
        for (double rate : rates) {
            progress.accept("%.0f requests/s; %d s left"
                    .formatted(rate, (rates.size() - results.size()) * perRate.toSeconds()));
            Duration before = gateway.cpu();
            RateResult result = load.run(rate, perRate);
            results.add(result.withCpu(gateway.cpu().minus(before)));
        }
        return List.copyOf(results);
    }
}
