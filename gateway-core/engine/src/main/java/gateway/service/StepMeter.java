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
        public void answered() {}

        @Override
        public void reported() {}

        @Override
        public void missed() {}

        @Override
        public void took(long nanos) {}
    };

    /// The policy let a request pass.
    void proceeded();

    /// The policy refused a request.
    void stopped();

    /// The policy gave a request what it asked for, in the upstream's place.
    void answered();

    /// The policy would have refused a request, and was told to report that.
    void reported();

    /// What the policy depends on gave no answer; its `onOutage` decided, and is told besides.
    void missed();

    /// The policy, or what it called, took so long. Told only of policies that are timed.
    void took(long nanos);
}
