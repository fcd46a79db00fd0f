package gateway.wire.io;

import io.undertow.util.StatusCodes;

/// The words behind the status in a status line of HTTP/1 (RFC 9112 §4). Undertow's, and those of the IANA registry
/// that it calls unknown.
public final class ReasonPhrases {
    private ReasonPhrases() {}

    public static String of(int status) {
        return switch (status) {
            case 421 -> "Misdirected Request";
            case 425 -> "Too Early";
            case 451 -> "Unavailable For Legal Reasons";
            case 506 -> "Variant Also Negotiates";
            default -> StatusCodes.getReason(status);
        };
    }
}
