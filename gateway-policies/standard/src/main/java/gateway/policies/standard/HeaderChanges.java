package gateway.policies.standard;

import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.policy.Template;
import java.util.List;
import java.util.Map;

/// What is done to one message: first what is removed, then `rename`, then `set`, then cookies, then `add`. A value
/// that comes out empty is not written, but `set` removes what was there all the same: nobody can send in a header what
/// the gateway would set.
///
/// @param rename new names by old ones
record HeaderChanges(
        List<WritableHeader<Template>> set,
        List<WritableHeader<Template>> add,
        RemovedFields remove,
        Map<String, String> rename,
        List<AnswerCookie> cookies) {
    private static final String[] NOTHING = {};

    boolean isEmpty() {
        return set.isEmpty() && add.isEmpty() && remove.isEmpty() && rename.isEmpty() && cookies.isEmpty();
    }

    void apply(Headers headers, Exchange exchange) {
        String[] values = rendered(exchange);
        String[] lines = cookies.isEmpty() ? NOTHING : lines(exchange);
        remove.apply(headers);
        if (!rename.isEmpty()) rename.forEach((from, to) -> rename(headers, from, to));
        for (int i = 0; i < set.size(); i++) {
            String name = set.get(i).name();
            headers.remove(name); // also from trailers that are to come
            if (!values[i].isEmpty()) headers.set(name, values[i]);
        }
        for (int i = 0; i < lines.length; i++) {
            RemovedFields.removeSetCookie(headers, cookies.get(i).name());
            headers.add("Set-Cookie", lines[i]);
        }
        for (int i = 0; i < add.size(); i++) {
            String value = values[set.size() + i];
            if (!value.isEmpty()) headers.add(add.get(i).name(), value);
        }
    }

    private static void rename(Headers headers, String from, String to) {
        List<String> lines = List.copyOf(headers.all(from));
        headers.remove(from); // also from trailers that are to come
        if (lines.isEmpty()) return;
        headers.remove(to);
        for (String line : lines) headers.add(to, line);
    }

    private String[] lines(Exchange exchange) {
        var lines = new String[cookies.size()];
        for (int i = 0; i < lines.length; i++) lines[i] = cookies.get(i).line(exchange);
        return lines;
    }

    /// Values see the headers as they are before this policy changes any of the message: those of the request
    /// as the policies before have left them, and for the response as the upstream got them.
    private String[] rendered(Exchange exchange) {
        var values = new String[set.size() + add.size()];
        for (int i = 0; i < set.size(); i++) values[i] = set.get(i).value().render(exchange);
        for (int i = 0; i < add.size(); i++)
            values[set.size() + i] = add.get(i).value().render(exchange);
        return values;
    }
}
