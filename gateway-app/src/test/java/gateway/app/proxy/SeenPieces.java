package gateway.app.proxy;

import gateway.http.BodyMemory;
import gateway.http.Exchange;
import gateway.http.PieceChange;
import gateway.http.PieceOutput;
import gateway.http.PieceWatch;
import gateway.http.Response;
import gateway.policy.Followup;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

/// A policy's place on the way of bodies that notes what passes and how it ends, and where it changes content makes
/// capitals of it between brackets.
final class SeenPieces implements Followup, PieceWatch, PieceChange {
    private final List<String> pieces = new CopyOnWriteArrayList<>();
    private final List<String> ends = new CopyOnWriteArrayList<>();
    private boolean begun;

    @Override
    public PieceWatch watch(Response answer, BodyMemory memory) {
        return this;
    }

    @Override
    public PieceWatch watchRequest(Exchange exchange, BodyMemory memory) {
        return this;
    }

    @Override
    public PieceChange change(Response answer, BodyMemory memory) {
        return this;
    }

    @Override
    public PieceChange changeRequest(Exchange exchange, BodyMemory memory) {
        return this;
    }

    @Override
    public void piece(ByteBuffer piece) {
        pieces.add(StandardCharsets.ISO_8859_1.decode(piece.duplicate()).toString());
    }

    @Override
    public void piece(ByteBuffer piece, PieceOutput to) {
        if (!begun) add("[", to);
        begun = true;
        String text = StandardCharsets.ISO_8859_1.decode(piece.duplicate()).toString();
        pieces.add(text);
        add(text.toUpperCase(Locale.ROOT), to);
    }

    @Override
    public void complete(PieceOutput to) {
        add("]", to);
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
