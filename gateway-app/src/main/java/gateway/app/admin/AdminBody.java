package gateway.app.admin;

import java.io.ByteArrayOutputStream;
import java.util.concurrent.Semaphore;

/// A request body as it arrives on the admin plane. What comes after it was refused is read and thrown away, so that a
/// client that sends before it reads still gets its answer.
///
/// One of more than [AdminHandler#MAX_BODY_BYTES] takes a place among the large ones, before it is told to be so large
/// or once it has grown so far, and is refused when there is none.
final class AdminBody {
    enum Refusal {
        NONE,
        TOO_LARGE,
        NO_PLACE
    }

    private final int most;
    private final Semaphore places;
    private ByteArrayOutputStream content = new ByteArrayOutputStream();
    private Refusal refusal = Refusal.NONE;
    private boolean placed;

    /// @param most bytes
    /// @param places for large ones
    AdminBody(int most, Semaphore places) {
        this.most = most;
        this.places = places;
    }

    /// @param length that the head tells; negative when it tells none
    /// @return whether it is refused already
    Refusal expect(long length) {
        admit(length);
        if (placed) content = new ByteArrayOutputStream((int) length);
        return refusal;
    }

    void add(byte[] part) {
        admit((long) content.size() + part.length);
        if (refusal == Refusal.NONE) content.writeBytes(part);
    }

    private void admit(long size) {
        if (refusal != Refusal.NONE || size <= AdminHandler.MAX_BODY_BYTES) return;
        if (size > most) refuse(Refusal.TOO_LARGE);
        else if (!placed && !places.tryAcquire()) refuse(Refusal.NO_PLACE);
        else placed = true;
    }

    private void refuse(Refusal why) {
        refusal = why;
        content = new ByteArrayOutputStream(0);
    }

    Refusal refusal() {
        return refusal;
    }

    int most() {
        return most;
    }

    byte[] bytes() {
        return content.toByteArray();
    }

    /// Nobody holds it any more.
    void release() {
        if (placed) places.release();
        placed = false;
    }
}
