package gateway.policies.message;

import gateway.http.BodyMemory;
import gateway.http.Headers;
import gateway.http.PieceChange;
import gateway.http.Response;
import gateway.http.UpstreamException;
import gateway.policy.Followup;
import java.util.Locale;
import java.util.Optional;

/// Packs the answer to one request, where it may be and pays, and tells caches that answers differ.
final class CompressedAnswer implements Followup {
    private static final int PARTIAL_CONTENT = 206;
    private static final String VARY = "Vary";

    private final Compression rules;
    private final boolean taken;
    private final PackingRoom room;
    private Optional<String> entityTag = Optional.empty();
    private boolean packed;
    private boolean varies;

    /// @param taken whether the client takes gzip
    CompressedAnswer(Compression rules, boolean taken, PackingRoom room) {
        this.rules = rules;
        this.taken = taken;
        this.room = room;
    }

    @Override
    public PieceChange change(Response answer, BodyMemory memory) {
        if (answer.status() == PARTIAL_CONTENT) return PieceChange.NONE;
        varies = true;
        if (!taken || !hasRoom(memory)) return PieceChange.NONE;
        entityTag = answer.headers().first("ETag");
        packed = true;
        return new GzipPieces(rules.level(), answer.body().length().isEmpty(), room);
    }

    /// An answer for which there is none goes out as it is.
    private boolean hasRoom(BodyMemory memory) {
        if (!room.take()) return false;
        try {
            memory.hold(GzipPieces.MEMORY);
            return true;
        } catch (UpstreamException e) {
            room.giveBack();
            return false;
        }
    }

    @Override
    public Response onResponse(Response response) {
        Headers fields = response.headers();
        if (packed) {
            fields.set("Content-Encoding", "gzip");
            entityTag.ifPresent(tag -> fields.set("ETag", tag.startsWith("W/") ? tag : "W/" + tag));
        }
        if (varies || rules.fits(fields, response.body().length())) vary(fields);
        return response;
    }

    private static void vary(Headers fields) {
        for (String each : fields.all(VARY)) {
            String names = each.toLowerCase(Locale.ROOT);
            if (names.contains("accept-encoding") || names.contains("*")) return;
        }
        fields.add(VARY, "Accept-Encoding");
    }
}
