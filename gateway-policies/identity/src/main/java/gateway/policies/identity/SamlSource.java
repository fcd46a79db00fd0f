package gateway.policies.identity;

import gateway.http.Exchange;
import gateway.policy.BodyUse;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Where in requests assertions stand.
sealed interface SamlSource permits SamlHeader, SamlForm, SamlSoap {
    /// Most bytes of a message; before callers are known no more of a body is held.
    int LONGEST = 64 << 10;

    /// As definitions say it.
    enum Kind {
        HEADER,
        FORM,
        SOAP_HEADER
    }

    static SamlSource of(Kind kind) {
        return switch (kind) {
            case HEADER -> new SamlHeader();
            case FORM -> new SamlForm();
            case SOAP_HEADER -> new SamlSoap();
        };
    }

    /// Of what it has to see of requests.
    BodyUse bodyUse();

    /// The place of the credential, good or not; null when there is none.
    @Nullable
    String shownAt(Exchange exchange);

    /// Whether it is worth while to look for one: a look at headers.
    boolean mayHave(Exchange exchange);

    /// What has come; empty: nothing.
    ///
    /// @throws BadAssertionException when it is none
    Optional<SamlMessage> message(Exchange exchange);

    /// Takes it out of what the upstream gets.
    void strip(Exchange exchange);

    /// The same where it is known what has come. Whoever asks has no more use for `message`.
    default void strip(Exchange exchange, SamlMessage message) {
        strip(exchange);
    }
}
