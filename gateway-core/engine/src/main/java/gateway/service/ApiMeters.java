package gateway.service;

import gateway.http.Outcome;
import gateway.http.UpstreamException;

/// Counts what becomes of one API's requests. Told on the request path by many threads at once, so it neither blocks
/// nor looks anything up.
public interface ApiMeters {
    /// Counts nothing.
    ApiMeters NONE = new ApiMeters() {
        @Override
        public StepMeter step(String name, boolean timed) {
            return StepMeter.NONE;
        }

        @Override
        public void unanswered(UpstreamException.Kind kind) {}

        @Override
        public void refused(String reason) {}

        @Override
        public void ended(Outcome outcome) {}
    };

    /// The meter of one policy, asked for once when the API is compiled.
    ///
    /// @param name the policy's place in the API, such as `rate-limit` or `rate-limit-2`
    /// @param timed whether to keep its time too
    StepMeter step(String name, boolean timed);

    /// The upstream gave no usable answer to a request.
    void unanswered(UpstreamException.Kind kind);

    /// The gateway refused a request.
    ///
    /// @param reason of its response, see [gateway.http.Response#reason]
    void refused(String reason);

    /// A request is over.
    void ended(Outcome outcome);
}
