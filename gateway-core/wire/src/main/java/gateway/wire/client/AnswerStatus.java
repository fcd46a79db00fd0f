package gateway.wire.client;

import gateway.http.Body;
import gateway.http.Response;
import io.undertow.util.HttpString;

/// What an answer says of the server that gave it: its status, and for a call of gRPC that has failed without any
/// message the status of HTTP that says the same.
public final class AnswerStatus {
    private static final HttpString GRPC_STATUS = new HttpString("grpc-status");
    private static final int OK = 200;

    private AnswerStatus() {}

    /// Only what is the server's own fault counts as one: not UNIMPLEMENTED or DEADLINE_EXCEEDED, which clients can
    /// bring about, lest they have a server taken out.
    public static int of(Response response, ClientSide client) {
        if (response.status() != OK || !response.body().equals(Body.EMPTY)) return response.status();
        String status = client.responseFields().getFirst(GRPC_STATUS);
        if (status == null) return OK;
        return switch (status) {
            case "2", "13", "15" -> 500; // UNKNOWN, INTERNAL, DATA_LOSS
            case "14" -> 503; // UNAVAILABLE
            default -> OK;
        };
    }
}
