package gateway.policies.identity;

import gateway.http.Exchange;
import gateway.policy.BodyUse;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// `Authorization: SAML <Base64>`, of an assertion or of a response with one.
record SamlHeader() implements SamlSource {
    private static final String HEADER = "Authorization";
    private static final String SCHEME = "SAML ";

    @Override
    public BodyUse bodyUse() {
        return BodyUse.NONE;
    }

    @Override
    public @Nullable String shownAt(Exchange exchange) {
        Optional<String> header = exchange.headers().first(HEADER);
        boolean shown = header.isPresent() && header.get().regionMatches(true, 0, SCHEME, 0, SCHEME.length());
        return shown ? "header:authorization" : null;
    }

    @Override
    public boolean mayHave(Exchange exchange) {
        return shownAt(exchange) != null;
    }

    @Override
    public Optional<SamlMessage> message(Exchange exchange) {
        if (shownAt(exchange) == null) return Optional.empty();
        List<String> all = exchange.headers().all(HEADER);
        if (all.size() > 1) throw new BadAssertionException(AssertionFlaw.STRUCTURE);
        return Optional.of(SamlMessage.read(
                decoded(all.getFirst().substring(SCHEME.length()).strip())));
    }

    static byte[] decoded(String text) {
        try {
            if (text.length() <= LONGEST) return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            // told below, as text that is too long
        }
        throw new BadAssertionException(AssertionFlaw.MALFORMED);
    }

    @Override
    public void strip(Exchange exchange) {
        if (shownAt(exchange) != null) exchange.outgoing().headers().remove(HEADER);
    }
}
