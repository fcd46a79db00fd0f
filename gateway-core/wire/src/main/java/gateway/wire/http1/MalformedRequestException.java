package gateway.wire.http1;

import java.io.IOException;

/// The content of a request under way is not what its framing says. The client has been answered, where that was
/// still possible, and the connection is of no further use.
public final class MalformedRequestException extends IOException {
    private static final long serialVersionUID = 1;

    private final Refusal refusal;

    MalformedRequestException(Refusal refusal) {
        super(refusal.detail());
        this.refusal = refusal;
    }

    public Refusal refusal() {
        return refusal;
    }
}
