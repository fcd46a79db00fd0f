package gateway.app.proxy;

import gateway.http.HeldBody;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.wire.client.GrpcContent;
import gateway.wire.client.GrpcTimeout;
import gateway.wire.io.FieldView;
import gateway.wire.io.HttpTransaction;
import gateway.wire.io.ReasonPhrases;
import io.undertow.util.StatusCodes;
import java.nio.charset.StandardCharsets;

/// A refusal of the gateway as gRPC clients read it: status 200 and no content, with `grpc-status` and `grpc-message`
/// in the head ("Trailers-Only" in "gRPC over HTTP2").
///
/// The codes are those that clients make of HTTP answers by themselves ("HTTP to gRPC Status Code Mapping"), but where
/// the gateway knows better: decision 121.
final class GrpcAnswer {
    private static final int DEADLINE_EXCEEDED = 4;
    private static final int MOST_BYTES = 64 * 1024; // of a problem that is read, on the IO thread
    private static final String HEXADECIMAL = "0123456789ABCDEF";

    private GrpcAnswer() {}

    /// `made`, unless it is a refusal by the gateway and goes to a gRPC client. Answers of the upstream stay as they
    /// are.
    ///
    /// @param startedAt when the request began, by [System#nanoTime]
    static Response inPlaceOf(Response made, HttpTransaction transaction, long startedAt) {
        if (made.status() < StatusCodes.BAD_REQUEST || !Grpc.isRequest(transaction) || isUpstreams(made, transaction))
            return made;
        Response answer = Response.of(StatusCodes.OK).because(made.reason()).with("Content-Type", GrpcContent.TYPE);
        answer.with("grpc-status", Integer.toString(code(made.status(), transaction, startedAt)));
        answer.with("grpc-message", encoded(message(made)));
        made.headers().forEach((name, value) -> {
            if (!isOfContent(name)) answer.headers().add(name, value);
        });
        return answer;
    }

    @SuppressWarnings("ReferenceEquality") // whether it is the exchange's own map, where only an upstream's fields go
    private static boolean isUpstreams(Response response, HttpTransaction transaction) {
        return response.headers() instanceof FieldView view && view.map() == transaction.responseFields();
    }

    private static int code(int status, HttpTransaction transaction, long startedAt) {
        boolean late = status == StatusCodes.GATEWAY_TIME_OUT || status == StatusCodes.REQUEST_TIME_OUT;
        if (late && System.nanoTime() - startedAt >= GrpcTimeout.nanos(transaction.requestFields()))
            return DEADLINE_EXCEEDED;
        return code(status);
    }

    /// @param status of HTTP, 400 or more
    static int code(int status) {
        return switch (status) {
            case 400 -> 13; // INTERNAL: the client's library has made what is malformed
            case 401 -> 16; // UNAUTHENTICATED
            case 403 -> 7; // PERMISSION_DENIED
            case 404, 405, 410, 501 -> 12; // UNIMPLEMENTED
            case 408 -> DEADLINE_EXCEEDED; // the client did not send its messages in time
            case 409 -> 10; // ABORTED
            case 412 -> 9; // FAILED_PRECONDITION
            case 413, 429, 431 -> 8; // RESOURCE_EXHAUSTED
            case 422 -> 3; // INVALID_ARGUMENT
            case 500 -> 13; // INTERNAL
            case 502, 503, 504 -> 14; // UNAVAILABLE
            default -> 2; // UNKNOWN
        };
    }

    /// What the problem tells in detail; the status in words when there is none, or it is no small one.
    static String message(Response made) {
        String reason = ReasonPhrases.of(made.status());
        boolean problem = made.headers()
                .first("Content-Type")
                .filter(Problem.CONTENT_TYPE::equals)
                .isPresent();
        if (!problem || !(made.body() instanceof HeldBody held) || held.content().length > MOST_BYTES) return reason;
        try {
            return Json.parse(held.content(), _ -> {}).path("detail").asString(reason);
        } catch (InvalidConfigException e) {
            return reason; // a policy's own idea of a problem
        }
    }

    private static boolean isOfContent(String name) {
        return name.equalsIgnoreCase("Content-Type")
                || name.equalsIgnoreCase("Content-Length")
                || name.equalsIgnoreCase("Content-Encoding");
    }

    /// Octets of UTF-8 that are not printable ASCII, and `%`, as `%XX` ("gRPC over HTTP2", Responses).
    static String encoded(String message) {
        var text = new StringBuilder(message.length());
        for (byte octet : message.getBytes(StandardCharsets.UTF_8)) {
            if (octet >= ' ' && octet <= '~' && octet != '%') text.append((char) octet);
            else text.append('%').append(HEXADECIMAL.charAt(octet >> 4 & 15)).append(HEXADECIMAL.charAt(octet & 15));
        }
        return text.toString();
    }
}
