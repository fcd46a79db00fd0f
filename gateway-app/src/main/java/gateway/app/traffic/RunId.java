package gateway.app.traffic;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Base64;

/// A name for one run of one node: 64 random bits, so that ids of records never meet those of another run.
final class RunId {
    private RunId() {}

    static String make() {
        var bytes = ByteBuffer.allocate(Long.BYTES).putLong(new SecureRandom().nextLong());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }
}
