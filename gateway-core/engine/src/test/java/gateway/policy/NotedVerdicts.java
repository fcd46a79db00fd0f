package gateway.policy;

import gateway.http.Outcome;
import gateway.http.UpstreamException;
import gateway.service.ApiMeters;
import gateway.service.StepMeter;
import io.micrometer.core.instrument.MeterRegistry;

/// Counts what the policies of an API say, by policy and word.
record NotedVerdicts(String api, MeterRegistry meters) implements ApiMeters {
    @Override
    public StepMeter step(String name, boolean timed) {
        return new NotedStep(name);
    }

    @Override
    public void unanswered(UpstreamException.Kind kind) {}

    @Override
    public void refused(String reason) {}

    @Override
    public void ended(Outcome outcome) {}

    private final class NotedStep implements StepMeter {
        private final String name;

        NotedStep(String name) {
            this.name = name;
        }

        private void count(String word) {
            meters.counter("test.verdicts", "api", api, "policy", name, "verdict", word)
                    .increment();
        }

        @Override
        public void proceeded() {
            count("proceed");
        }

        @Override
        public void stopped() {
            count("stop");
        }

        @Override
        public void answered() {
            count("answer");
        }

        @Override
        public void reported() {
            count("report");
        }

        @Override
        public void missed() {
            count("outage");
        }

        @Override
        public void took(long nanos) {
            count("time");
        }
    }
}
