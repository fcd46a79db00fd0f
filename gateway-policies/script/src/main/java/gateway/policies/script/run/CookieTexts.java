package gateway.policies.script.run;

import gateway.http.Exchange;
import java.util.List;
import java.util.Optional;

/// The cookies of a request, to be read.
record CookieTexts(Exchange exchange) implements ScriptTexts {
    @Override
    public Optional<String> find(String name) {
        return exchange.cookie(name);
    }

    @Override
    public void set(String name, String value) {
        throw new IllegalArgumentException("cookies are read only; the policy headers sets them");
    }

    @Override
    public void remove(String name) {
        throw new IllegalArgumentException("cookies are read only; the policy headers removes them");
    }

    @Override
    public List<String> names() {
        return exchange.cookieNames();
    }
}
