package gateway.policies.message.filter;

import gateway.http.Exchange;
import gateway.http.Headers;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/// Looks at what stands before the body of a message.
final class HeadFilter {
    private final BitSet path;
    private final BitSet query;
    private final BitSet headers;
    private final Map<String, BitSet> named = new HashMap<>(); // by header in lower case, with those for all

    HeadFilter(List<FilterRule> rules, CompiledFilter filter) {
        this.path = filter.of(rule -> rule.places().path());
        this.query = filter.of(rule -> rule.places().query());
        this.headers = filter.of(rule -> rule.places().headers());
        for (FilterRule each : rules)
            for (String name : each.places().header())
                named.computeIfAbsent(name, _ -> filter.of(rule -> rule.places().inHeader(name)));
    }

    void request(Exchange exchange, FilterScan scan) {
        if (!path.isEmpty()) scan.seen(exchange.outgoing().path(), path, true, () -> "/path");
        if (!query.isEmpty()) query(exchange.outgoing().query(), query, scan, () -> "/query");
        fields(exchange.headers(), scan);
    }

    /// Those of a request or an answer, by name and value. What would come behind the content goes: it has passed by
    /// then.
    void fields(Headers fields, FilterScan scan) {
        if (headers.isEmpty() && named.isEmpty()) return;
        fields.removeTrailers();
        fields.forEach((name, value) -> {
            scan.seen(name, headers, false, () -> "/headers"); // without the name, since it is what was found
            BitSet scope = named.isEmpty() ? headers : named.getOrDefault(name.toLowerCase(Locale.ROOT), headers);
            scan.seen(value, scope, false, () -> "/headers/" + name);
        });
    }

    /// Names and values, each by itself and encoded as they stand there. The same for forms.
    ///
    /// @return with what gives way to something else
    static String query(String query, BitSet scope, FilterScan scan, Supplier<String> where) {
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
