package gateway.policies.message.filter;

import gateway.http.Exchange;
import gateway.http.Headers;
import java.util.BitSet;
import java.util.List;

/// Looks at what stands before the body of a message.
final class HeadFilter {
    private final BitSet path;
    private final BitSet query;
    private final CompiledFilter filter;
    private final List<FilterRule> rules;
    private final boolean headers;

    HeadFilter(List<FilterRule> rules, CompiledFilter filter) {
        this.rules = List.copyOf(rules);
        this.filter = filter;
        this.path = filter.of(rule -> rule.places().path());
        this.query = filter.of(rule -> rule.places().query());
        this.headers = rules.stream()
                .anyMatch(rule ->
                        rule.places().headers() || !rule.places().header().isEmpty());
    }

    void request(Exchange exchange, FilterScan scan) {
        if (!path.isEmpty()) scan.seen(exchange.outgoing().path(), path, true, "/path");
        if (!query.isEmpty()) query(exchange.outgoing().query(), query, scan, "/query");
        fields(exchange.headers(), scan);
    }

    /// Those of a request or an answer.
    void fields(Headers fields, FilterScan scan) {
        if (!headers) return;
        fields.forEach((name, value) -> {
            BitSet scope = filter.of(rule -> rule.places().inHeader(name));
            scan.seen(value, scope, false, "/headers/" + name);
        });
    }

    boolean isEmpty() {
        return rules.isEmpty() || (path.isEmpty() && query.isEmpty() && !headers);
    }

    /// Names and values, each by itself and encoded as they stand there. The same for forms.
    ///
    /// @return with what gives way to something else
    static String query(String query, BitSet scope, FilterScan scan, String where) {
        if (query.isEmpty()) return query;
        var after = new StringBuilder(query.length());
        for (int from = 0; from <= query.length(); ) {
            int ampersand = query.indexOf('&', from);
            int end = ampersand < 0 ? query.length() : ampersand;
            int equals = query.indexOf('=', from);
            int nameEnd = equals < 0 || equals > end ? end : equals;
            if (from > 0) after.append('&');
            after.append(scan.seen(query.substring(from, nameEnd), scope, true, where));
            if (nameEnd < end)
                after.append('=').append(scan.seen(query.substring(nameEnd + 1, end), scope, true, where));
            from = end + 1;
        }
        return after.toString();
    }
}
