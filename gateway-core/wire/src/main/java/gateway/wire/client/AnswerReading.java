package gateway.wire.client;

import gateway.http.FailureReason;
import gateway.http.UpstreamException;
import gateway.wire.http1.MalformedResponseException;
import gateway.wire.http1.ResponseHead;
import java.io.IOException;

/// Reads the head of an answer, interim ones before it included, and tells the call what came. Holds nothing: what is
/// under way is kept by the connection and the IO thread's parser.
final class AnswerReading {
    private AnswerReading() {}

    /// Bytes, or the end, have arrived before the head was whole.
    static void arrived(Http1Call call, UpstreamConnection from, IoThreadResources ioThread, ClientSide client) {
        try {
            int count = from.read();
            if (count < 0) {
                call.lost(FailureReason.CLOSED, "the upstream closed the connection before it answered");
                return;
            }
            if (count == 0) return;
            call.heard();
            parse(call, from, ioThread, client);
        } catch (MalformedResponseException e) {
            call.fail(new UpstreamException(
                    FailureReason.MALFORMED, "the upstream's answer is not valid HTTP: " + e.getMessage()));
        } catch (IOException e) {
            call.lost(FailureReason.RESET, "the connection to the upstream broke");
        }
    }

    private static void parse(Http1Call call, UpstreamConnection from, IoThreadResources ioThread, ClientSide client)
            throws MalformedResponseException {
        ResponseHead head;
        do {
            head = ioThread.headParser().parse(from.in(), client.responseFields());
            if (head == null) return;
            if (head.status() == 100) call.continued();
            else if (head.interim() && !client.sendInterim(RequestHeadWriter.interim(ioThread, head.status())))
                throw new MalformedResponseException("more than 64 KiB of interim responses");
        } while (head.interim() && from.in().hasRemaining());
        if (head.status() == ResponseHead.SWITCHING_PROTOCOLS) call.switched(from);
        else if (!head.interim()) call.headArrived(head, from);
    }
}
