package gateway.app.proxy;

import gateway.http.Outcome;
import gateway.wire.client.GrpcContent;
import gateway.wire.io.HttpTransaction;
import gateway.wire.io.HttpVersion;
import io.undertow.util.HeaderMap;
import io.undertow.util.HttpString;
import java.util.Set;

/// What makes a request one of gRPC, and how its server says it went. Asked for HTTP/2 alone: gRPC knows no other.
final class Grpc {
    static final HttpString STATUS = new HttpString("grpc-status");
    private static final int MOST_DIGITS = 4;
    private static final Set<HttpString> OWN =
            Set.of(STATUS, new HttpString("grpc-message"), new HttpString("grpc-status-details-bin"));

    private Grpc() {}

    /// By its content type.
    static boolean isRequest(HttpTransaction transaction) {
        return transaction.version() == HttpVersion.HTTP_2 && GrpcContent.isIn(transaction.requestFields());
    }

    /// Whether a trailer is part of the protocol, without which its client takes the answer for broken off.
    static boolean isOwn(HttpString trailer) {
        return OWN.contains(trailer);
    }

    /// The status that the client was sent: in trailers, or in the head of an answer without content. [Outcome#NO_GRPC]
    /// when the request is none of gRPC, or its answer broke off.
    static int status(HttpTransaction transaction) {
        if (!isRequest(transaction)) return Outcome.NO_GRPC;
        HeaderMap trailers = transaction.responseTrailers();
        String status = trailers == null ? null : trailers.getFirst(STATUS);
        if (status == null) status = transaction.responseFields().getFirst(STATUS);
        return status == null ? Outcome.NO_GRPC : number(status);
    }

    /// Whether a status says that the server failed rather than its client (OpenTelemetry's gRPC conventions): UNKNOWN,
    /// DEADLINE_EXCEEDED, UNIMPLEMENTED, INTERNAL, UNAVAILABLE, DATA_LOSS.
    static boolean isServersFault(int status) {
        return switch (status) {
            case 2, 4, 12, 13, 14, 15 -> true;
            default -> false;
        };
    }

    private static int number(String text) {
        if (text.isEmpty() || text.length() > MOST_DIGITS) return Outcome.NO_GRPC;
        int number = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) return Outcome.NO_GRPC;
            number = number * 10 + digit;
        }
        return number;
    }
}
