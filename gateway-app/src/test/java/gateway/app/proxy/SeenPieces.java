package gateway.app.proxy;

import gateway.http.BodyMemory;
import gateway.http.Exchange;
import gateway.http.PieceChange;
import gateway.http.PieceOutput;
import gateway.http.PieceWatch;
import gateway.http.Response;
import gateway.policy.BodyUse;
import gateway.policy.Followup;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

/// A policy's place on the way of bodies that notes what passes and how it ends, and where it changes content makes
/// capitals of it, between brackets unless it keeps lengths as they are.
final class SeenPieces implements PieceWatch, PieceChange {
    private final List<String> pieces = new CopyOnWriteArrayList<>();
    private final List<String> ends = new CopyOnWriteArrayList<>();
    private final boolean brackets;
    private boolean begun;

    SeenPieces() {
        this(true);
    }

    private SeenPieces(boolean brackets) {
        this.brackets = brackets;
    }

    /// Capitals alone: what stands in frames of known length stays as long.
    static SeenPieces keepingLengths() {
        return new SeenPieces(false);
    }

    /// A policy whose one message is seen or changed here.
    Policy policy(BodyUse use) {
        return policy(use, this, this);
    }

    /// A policy whose request and answer each have a place.
    static Policy policy(BodyUse use, SeenPieces request, SeenPieces answer) {
        return new OneRoute.WithBodies(use, _ -> Verdict.proceed(new Places(request, answer)));
    }

    private record Places(SeenPieces request, SeenPieces answer) implements Followup {
        @Override
        public PieceWatch watch(Response response, BodyMemory memory) {
            return answer;
        }

        @Override
        public PieceWatch watchRequest(Exchange exchange, BodyMemory memory) {
            return request;
        }

        @Override
        public PieceChange change(Response response, BodyMemory memory) {
            return answer;
        }

        @Override
        public PieceChange changeRequest(Exchange exchange, BodyMemory memory) {
            return request;
        }
    }

    @Override
    public void piece(ByteBuffer piece) {
        pieces.add(StandardCharsets.ISO_8859_1.decode(piece.duplicate()).toString());
    }

    @Override
    public void piece(ByteBuffer piece, PieceOutput to) {
        if (brackets && !begun) add("[", to);
        begun = true;
        String text = StandardCharsets.ISO_8859_1.decode(piece.duplicate()).toString();
        pieces.add(text);
        add(text.toUpperCase(Locale.ROOT), to);
    }

    @Override
    public void complete(PieceOutput to) {
        if (brackets) add("]", to);
        ends.add("complete");
    }

    private static void add(String text, PieceOutput to) {
        to.add(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
    }

    @Override
    public void complete() {
        ends.add("complete");
    }

    @Override
    public void broken() {
        ends.add("broken");
    }

    String content() {
        return String.join("", pieces);
    }

    List<String> ends() {
        return ends;
    }
}
