package gateway.wire.client;

import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;

/// What requests and answers of gRPC are known by: the content type `application/grpc`, with or without the format of
/// messages, as in `application/grpc+proto`. gRPC-Web (`application/grpc-web`) is another protocol.
public final class GrpcContent {
    public static final String TYPE = "application/grpc";

    private GrpcContent() {}

    /// Whether a message with these fields has it.
    public static boolean isIn(HeaderMap fields) {
        String type = fields.getFirst(Headers.CONTENT_TYPE);
        if (type == null || !type.regionMatches(true, 0, TYPE, 0, TYPE.length())) return false;
        if (type.length() == TYPE.length()) return true;
        char next = type.charAt(TYPE.length());
        return next == '+' || next == ';' || next == ' ';
    }
}
