package gateway.policies.cache;

import gateway.http.Exchange;
import gateway.service.CachePurge;
import gateway.service.PurgeLog;
import java.util.Set;

/// Where a kept answer comes from, for whoever looks for it.
///
/// @param api the id of the API that it was asked of
/// @param host that was asked
/// @param sent the path that the client asked for
/// @param forwarded the path that the upstream got
/// @param query that the upstream got, which may hold secrets
/// @param upstream its first target: an answer is given no more before another one
/// @param tags that the upstream has given it
record AnswerOrigin(
        String api, String host, String sent, String forwarded, String query, String upstream, Set<String> tags) {
    private static final int LINE = 32; // of a text

    AnswerOrigin {
        tags = Set.copyOf(tags);
    }

    /// Before policies behind the cache make another request of it.
    static AnswerOrigin of(Exchange exchange, String upstream, RepeatedTexts texts) {
        String sent = exchange.rawPath();
        String forwarded = exchange.outgoing().path();
        return new AnswerOrigin(
                exchange.api(),
                texts.host(exchange.host()),
                sent,
                forwarded.equals(sent) ? sent : forwarded,
                exchange.outgoing().query(),
                upstream,
                Set.of());
    }

    AnswerOrigin with(Set<String> others) {
        return new AnswerOrigin(api, host, sent, forwarded, query, upstream, others);
    }

    boolean isCovered(CachePurge purge) {
        return purge.covers(api, sent, forwarded, tags);
    }

    /// Whether what was asked for when `since` was the last purge may have been purged meanwhile.
    boolean isPurged(PurgeLog log, long since) {
        return log.covers(since, api, sent, forwarded, tags);
    }

    /// The path with the names of the parameters, without their values. One without a name may be a secret as a whole.
    String shown() {
        if (query.isEmpty()) return sent;
        var shown = new StringBuilder(sent).append('?');
        for (String parameter : query.split("&", -1)) {
            int equals = parameter.indexOf('=');
            if (shown.charAt(shown.length() - 1) != '?') shown.append('&');
            shown.append(equals < 0 ? "*" : parameter.substring(0, equals));
        }
        return shown.toString();
    }

    /// Characters that it takes, about.
    int weight() {
        int weight = sent.length() + forwarded.length() + query.length() + host.length() + 4 * LINE;
        for (String each : tags) weight += LINE + each.length();
        return weight;
    }
}
