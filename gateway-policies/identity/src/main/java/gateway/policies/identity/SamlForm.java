package gateway.policies.identity;

import gateway.http.Body;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.Query;
import gateway.policy.BodyAccess;
import gateway.policy.BodyUse;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The field `SAMLResponse` of a form, as browsers bring answers of identity providers (SAML 2.0 Bindings §3.5).
record SamlForm() implements SamlSource {
    private static final String FIELD = "SAMLResponse";
    private static final String TYPE = "application/x-www-form-urlencoded";

    @Override
    public BodyUse bodyUse() {
        return BodyUse.ofRequests(BodyAccess.plain(LONGEST).only((fields, _) -> isForm(fields)));
    }

    private static boolean isForm(Headers fields) {
        Optional<String> type = fields.first("Content-Type");
        return type.isPresent() && mediaType(type.get()).equals(TYPE);
    }

    /// Without parameters.
    static String mediaType(String contentType) {
        int semicolon = contentType.indexOf(';');
        return (semicolon < 0 ? contentType : contentType.substring(0, semicolon))
                .strip()
                .toLowerCase(Locale.ROOT);
    }

    @Override
    public @Nullable String shownAt(Exchange exchange) {
        return Query.find(form(exchange), FIELD, 0) < 0 ? null : "form:" + FIELD;
    }

    @Override
    public boolean mayHave(Exchange exchange) {
        return isForm(exchange.headers()) && exchange.held().isPresent();
    }

    @Override
    public Optional<SamlMessage> message(Exchange exchange) {
        String form = form(exchange);
        int at = Query.find(form, FIELD, 0);
        if (at < 0) return Optional.empty();
        if (Query.find(form, FIELD, Query.end(form, at) + 1) >= 0) {
            throw new BadAssertionException(AssertionFlaw.STRUCTURE); // who reads the form behind may take the other
        }
        String text = Query.first(form, FIELD).orElse("").replaceAll("[\r\n]", "");
        return Optional.of(SamlMessage.read(SamlHeader.decoded(text)));
    }

    /// Empty when there is none.
    private static String form(Exchange exchange) {
        if (exchange.held().isEmpty() || !isForm(exchange.headers())) return "";
        return new String(exchange.held().get().plain(), StandardCharsets.ISO_8859_1);
    }

    @Override
    public void strip(Exchange exchange) {
        if (shownAt(exchange) == null) return;
        String rest = Query.without(form(exchange), FIELD);
        exchange.outgoing().replaceBody(Body.of(rest.getBytes(StandardCharsets.ISO_8859_1)));
    }
}
