package gateway.policies.message.jose;

import gateway.http.Exchange;

/// A compiled step: signs, verifies, encrypts or decrypts something of each message. Used by many threads at once.
@FunctionalInterface
interface JoseAction {
    /// @throws BadJoseException when the message is not what it has to be
    /// @throws gateway.service.DependencyException when that cannot be found out
    /// @throws gateway.service.WorkersBusyException when too much of it waits already
    void apply(JoseMessage message, Exchange exchange);
}
