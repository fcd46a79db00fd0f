package gateway.policies.standard;

import java.util.List;

/// What a webhook says of its signature.
///
/// @param before what is signed in front of the body
/// @param signatures of which one has to hold
/// @param seconds when it was signed; [#NO_TIME] where that is not told
/// @param id of the message, which is signed; empty text: none
record WebhookSignature(String before, List<byte[]> signatures, long seconds, String id) {
    static final long NO_TIME = -1;

    WebhookSignature {
        signatures = List.copyOf(signatures);
    }
}
