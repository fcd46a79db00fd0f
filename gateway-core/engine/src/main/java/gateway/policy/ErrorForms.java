package gateway.policy;

import gateway.http.Exchange;
import java.util.List;

/// The forms in which an API tells the gateway's own refusals and failures.
///
/// @param forms of which a client's `Accept` chooses, the first when it chooses none; empty: problems as they are
public record ErrorForms(List<ErrorForm> forms) {
    public static final ErrorForms NONE = new ErrorForms(List.of());

    public ErrorForms {
        forms = List.copyOf(forms);
    }

    public boolean isEmpty() {
        return forms.isEmpty();
    }

    /// How errors of one request are told. Made before any policy has seen it: what it says of types is its client's
    /// word then.
    public ErrorAnswers of(Exchange exchange) {
        return new ErrorAnswers(forms, exchange);
    }
}
