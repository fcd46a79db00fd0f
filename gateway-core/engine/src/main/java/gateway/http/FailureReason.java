package gateway.http;

import gateway.http.UpstreamException.Kind;
import java.util.Locale;

/// What exactly went wrong with an upstream, or with another server that the gateway called: one word of a fixed list,
/// for records, meters and logs. Clients are told the [Kind], which several of these make.
public enum FailureReason {
    /// Its name has no address.
    NAME_UNKNOWN(Kind.UNREACHABLE),
    /// Nobody listens there.
    REFUSED(Kind.UNREACHABLE),
    /// There is no way to it.
    UNREACHABLE(Kind.UNREACHABLE),
    /// It does not speak TLS, or nothing that both sides accept.
    TLS_HANDSHAKE(Kind.UNREACHABLE),
    /// Its certificate leads to no authority that is trusted, or is not in force.
    TLS_CERTIFICATE(Kind.UNREACHABLE),
    /// Its certificate is for another name.
    TLS_NAME(Kind.UNREACHABLE),
    /// Its key is none of the pinned ones.
    TLS_PIN(Kind.UNREACHABLE),
    /// Files of the gateway's own side of TLS cannot be used.
    TLS_FILES(Kind.UNREACHABLE),
    /// It does not speak HTTP/2, and nothing else is allowed.
    NO_HTTP2(Kind.UNREACHABLE),
    /// Its address is none that the gateway may call.
    FORBIDDEN(Kind.FORBIDDEN),
    /// It ended the connection before a whole answer.
    CLOSED(Kind.BROKEN),
    /// It reset the connection, or does not take the request.
    RESET(Kind.BROKEN),
    /// The answer broke off in another way.
    BROKEN(Kind.BROKEN),
    /// Its answer is no HTTP that can be passed on.
    MALFORMED(Kind.MALFORMED),
    /// No connection stood in time.
    CONNECT_TIMEOUT(Kind.TIMEOUT),
    /// It did not answer in time.
    TIMEOUT(Kind.TIMEOUT),
    /// The circuit breaker is open.
    BREAKER_OPEN(Kind.UNAVAILABLE),
    /// None of its targets is healthy.
    UNHEALTHY(Kind.UNAVAILABLE),
    /// As many requests are with it as may be.
    BUSY(Kind.UNAVAILABLE),
    /// It can take no request, for another reason.
    UNAVAILABLE(Kind.UNAVAILABLE),
    /// No memory is left for what the request needs.
    NO_ROOM(Kind.OVERLOADED),
    /// The client did not send the whole request in time.
    REQUEST_TIMEOUT(Kind.CLIENT_SLOW),
    /// The client's own deadline has passed.
    CLIENT_DEADLINE(Kind.CLIENT_DEADLINE),
    /// The client went away meanwhile.
    CLIENT_GONE(Kind.CLIENT_GONE);

    private final Kind kind;
    private final String word = name().toLowerCase(Locale.ROOT).replace('_', '-');
    private final String refusal;

    FailureReason(Kind kind) {
        this.kind = kind;
        this.refusal = kind.blamesUpstream() ? "upstream-" + word : word;
    }

    public Kind kind() {
        return kind;
    }

    /// Such as `tls-name`.
    public String word() {
        return word;
    }

    /// The reason of the refusal that the client of such an upstream gets, see [Response#reason]: `upstream-tls-name`.
    public String refusal() {
        return refusal;
    }

    /// Where no more than the kind is known.
    static FailureReason of(Kind kind) {
        return switch (kind) {
            case UNREACHABLE -> UNREACHABLE;
            case FORBIDDEN -> FORBIDDEN;
            case BROKEN -> BROKEN;
            case MALFORMED -> MALFORMED;
            case TIMEOUT -> TIMEOUT;
            case UNAVAILABLE -> UNAVAILABLE;
            case OVERLOADED -> NO_ROOM;
            case CLIENT_SLOW -> REQUEST_TIMEOUT;
            case CLIENT_DEADLINE -> CLIENT_DEADLINE;
            case CLIENT_GONE -> CLIENT_GONE;
        };
    }
}
