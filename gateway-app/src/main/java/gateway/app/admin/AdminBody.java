package gateway.app.admin;

import java.io.ByteArrayOutputStream;

/// A request body as it arrives on the admin plane. What comes after the cap is read and thrown away, so that a client
/// that sends before it reads still gets its 413.
final class AdminBody {
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private boolean tooLarge;

    void add(byte[] part) {
        tooLarge |= content.size() + part.length > AdminHandler.MAX_BODY_BYTES;
        if (!tooLarge) content.writeBytes(part);
    }

    boolean isTooLarge() {
        return tooLarge;
    }

    byte[] bytes() {
        return content.toByteArray();
    }
}
