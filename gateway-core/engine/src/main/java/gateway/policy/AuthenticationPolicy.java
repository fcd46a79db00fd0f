package gateway.policy;

import gateway.http.Exchange;
import org.jspecify.annotations.Nullable;

/// A policy that finds out by a credential who calls, and of which another one asks whether that credential came:
/// what it takes to be one of several.
public interface AuthenticationPolicy extends Policy {
    /// Where in the request the credential stands that this policy would judge, good or not, such as
    /// `header:authorization`; null when there is none. Two that name one place look at one credential. Cheap.
    @Nullable
    String shownAt(Exchange exchange);

    /// Whether the request is for this policy itself, as the end of a login is, and no upstream may see it, whether or
    /// not authentication is waived there. Cheap.
    default boolean answersItself(Exchange exchange) {
        return false;
    }

    /// Takes its credential out of what the upstream gets, unless the definition lets it pass.
    void strip(Exchange exchange);

    /// Takes out of what the upstream gets what this policy alone may tell it, where another one of several lets the
    /// caller in, or none has to.
    ///
    /// @param shown where the credential stands that decides, as [#shownAt] has it; empty text: there is none
    default void withhold(Exchange exchange, String shown) {}

    /// What a 401 asks for when nothing has come (RFC 9110 §11.6.1), such as `Basic realm="orders"`.
    String challenge();
}
