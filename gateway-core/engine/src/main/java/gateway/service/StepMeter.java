package gateway.service;

/// Counts what one policy of one API decides.
public interface StepMeter {
    /// Counts nothing.
    StepMeter NONE = new StepMeter() {
        @Override
        public void proceeded() {}

        @Override
        public void stopped() {}

        @Override
        public void missed() {}

        @Override
        public void took(long nanos) {}
    };

    /// The policy let a request pass.
    void proceeded();

    /// The policy answered a request.
    void stopped();

    /// What the policy depends on gave no answer; its `onOutage` decided, and is told besides.
    void missed();

    /// The policy, or what it called, took so long. Told only of policies that are timed.
    void took(long nanos);
}
