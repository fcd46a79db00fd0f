package gateway.wire.client;

import io.undertow.util.HeaderMap;
import io.undertow.util.HttpString;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Which of an answer's trailers are passed on. Those that frame or route a message, authenticate somebody, keep state,
/// say what the content is or how long it may be kept have a meaning only ahead of it (RFC 9110 §6.5.1): a client that
/// merges trailers into the head would act on them though nobody has looked at them.
final class AnswerTrailers {
    private static final Set<HttpString> FORBIDDEN = Stream.of(
                    "transfer-encoding",
                    "content-length",
                    "connection",
                    "keep-alive",
                    "proxy-connection",
                    "upgrade",
                    "http2-settings",
                    "te",
                    "trailer",
                    "host",
                    "expect",
                    "authorization",
                    "proxy-authorization",
                    "www-authenticate",
                    "proxy-authenticate",
                    "authentication-info",
                    "proxy-authentication-info",
                    "cookie",
                    "set-cookie",
                    "set-cookie2",
                    "content-type",
                    "content-encoding",
                    "content-range",
                    "accept-ranges",
                    "cache-control",
                    "pragma",
                    "age",
                    "date",
                    "expires",
                    "vary",
                    "warning",
                    "location",
                    "retry-after",
                    "refresh",
                    "clear-site-data",
                    "strict-transport-security",
                    "content-security-policy",
                    "content-security-policy-report-only",
                    "alt-svc",
                    "access-control-allow-origin",
                    "access-control-allow-credentials",
                    "access-control-allow-methods",
                    "access-control-allow-headers",
                    "access-control-expose-headers",
                    "access-control-max-age")
            .map(HttpString::new)
            .collect(Collectors.toUnmodifiableSet());

    private AnswerTrailers() {}

    /// `fields` without those that are not passed on, which are taken out of it.
    static HeaderMap passed(HeaderMap fields) {
        for (long at = fields.fastIterateNonEmpty(); at != -1L; at = fields.fiNextNonEmpty(at)) {
            if (FORBIDDEN.contains(fields.fiCurrent(at).getHeaderName())) {
                FORBIDDEN.forEach(fields::remove);
                return fields;
            }
        }
        return fields;
    }
}
