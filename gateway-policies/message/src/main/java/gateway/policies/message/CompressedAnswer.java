package gateway.policies.message;

import gateway.http.BodyMemory;
import gateway.http.Headers;
import gateway.http.PartialAnswers;
import gateway.http.PieceChange;
import gateway.http.Response;
import gateway.http.UpstreamException;
import gateway.policy.Followup;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/// Packs the answer to one request, where it may be and pays, and tells caches that answers differ.
final class CompressedAnswer implements Followup {
    private static final int NOT_MODIFIED = 304;
    private static final String CONTENT_LENGTH = "Content-Length";
    private static final String VARY = "Vary";

    private final Compression rules;
    private final List<Packing> taken;
    private final boolean toHead;
    private final PackingRoom room;
    private final ZstdBuffers buffers;
    private Optional<String> entityTag = Optional.empty();
    private Optional<Packing> packed = Optional.empty();
    private boolean varies;

    /// @param taken what the client takes, the best first
    CompressedAnswer(Compression rules, List<Packing> taken, boolean toHead, PackingRoom room, ZstdBuffers buffers) {
        this.rules = rules;
        this.taken = taken;
        this.toHead = toHead;
        this.room = room;
        this.buffers = buffers;
    }

    @Override
    public PieceChange change(Response answer, BodyMemory memory) {
        if (PartialAnswers.include(answer)) return PieceChange.NONE;
        varies = true;
        packed = placed(memory);
        if (packed.isEmpty()) return PieceChange.NONE;
        entityTag = answer.headers().first("ETag");
        return pieces(packed.get(), answer.body().length());
    }

    /// The first that there is room for; an answer for which there is none goes out as it is.
    private Optional<Packing> placed(BodyMemory memory) {
        for (int i = 0; i < taken.size(); i++) {
            Packing packing = taken.get(i);
            if (room.take(packing)) {
                if (isHeld(packing, memory)) return Optional.of(packing);
                room.giveBack(packing);
            }
        }
        return Optional.empty();
    }

    private static boolean isHeld(Packing packing, BodyMemory memory) {
        try {
            memory.hold(packing.memory());
            return true;
        } catch (UpstreamException e) {
            return false;
        }
    }

    private PieceChange pieces(Packing packing, OptionalLong length) {
        try {
            return new PackedPieces(packing, packing.packer(rules.level(), length, buffers), length, room);
        } catch (RuntimeException e) { // the library has no memory: its place is given back all the same
            room.giveBack(packing);
            throw e;
        }
    }

    @Override
    public Response onResponse(Response response) {
        Headers fields = response.headers();
        if (packed.isPresent()) {
            fields.set("Content-Encoding", packed.get().coding());
            entityTag.ifPresent(tag -> weaken(fields, tag));
        } else if (standsForAnother(response)) {
            varies = true;
            if (!taken.isEmpty()) return vary(ofOther(response));
        }
        return varies || rules.fits(fields, response.body().length()) ? vary(response) : response;
    }

    /// The same head, which tells of the content before it is packed.
    private static Response ofOther(Response response) {
        Optional<String> tag = response.headers().first("ETag");
        Response other = response.ofUnknownContent();
        tag.ifPresent(each -> weaken(other.headers(), each));
        return other;
    }

    /// Whether it is the head of an answer that would be packed: to HEAD, or 304, which need not say the type.
    private boolean standsForAnother(Response response) {
        Headers fields = response.headers();
        if (response.status() == NOT_MODIFIED && !fields.contains("Content-Type"))
            return fields.contains("ETag") && !fields.contains("Content-Encoding");
        return (response.status() == NOT_MODIFIED || (toHead && !PartialAnswers.include(response)))
                && rules.fits(fields, length(response));
    }

    /// Of what `GET` would get: that is here already, or told alone.
    private static OptionalLong length(Response response) {
        OptionalLong here = response.body().length();
        if (here.orElse(0) != 0) return here;
        try {
            Optional<String> told = response.headers().first(CONTENT_LENGTH);
            return told.isPresent() ? OptionalLong.of(Long.parseLong(told.get())) : OptionalLong.empty();
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    private static void weaken(Headers fields, String tag) {
        fields.set("ETag", tag.startsWith("W/") ? tag : "W/" + tag);
    }

    private static Response vary(Response response) {
        for (String each : response.headers().all(VARY)) {
            String names = each.toLowerCase(Locale.ROOT);
            if (names.contains("accept-encoding") || names.contains("*")) return response;
        }
        response.headers().add(VARY, "Accept-Encoding");
        return response;
    }
}
