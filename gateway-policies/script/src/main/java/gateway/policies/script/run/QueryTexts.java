package gateway.policies.script.run;

import gateway.http.Exchange;
import gateway.http.Query;
import java.util.List;
import java.util.Optional;

/// The parameters of a request's query as the upstream gets them; of several the first is read.
record QueryTexts(Exchange exchange) implements ScriptTexts {
    @Override
    public Optional<String> find(String name) {
        return exchange.queryParameter(name);
    }

    @Override
    public void set(String name, String value) {
        exchange.outgoing().removeQueryParameter(name);
        exchange.outgoing().addQueryParameter(name, value);
    }

    @Override
    public void remove(String name) {
        exchange.outgoing().removeQueryParameter(name);
    }

    @Override
    public List<String> names() {
        return Query.names(exchange.outgoing().query());
    }
}
