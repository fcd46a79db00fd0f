package gateway.policies.message.wss;

import gateway.http.Exchange;

/// A compiled step.
interface SecurityAction {
    /// @throws BadSecurityException when the message is not what it has to be
    /// @throws gateway.service.DependencyException when that cannot be found out
    void apply(SoapMessage message, Exchange exchange);
}
