package gateway.http;

import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.json.JsonLimitException;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A body whose bytes are all here. The array is shared, not copied: whoever made it leaves it alone. The JSON
/// that its plain bytes are is read once for all who ask, by one thread at a time.
public final class HeldBody implements Body {
    private final byte[] content;
    private final byte @Nullable [] plain;
    private final UpstreamWaiter memory;
    private @Nullable JsonNode json;

    HeldBody(byte[] content) {
        this(content, null, UpstreamWaiter.NOBODY);
    }

    private HeldBody(byte[] content, byte @Nullable [] plain, UpstreamWaiter memory) {
        this.content = content;
        this.plain = plain;
        this.memory = memory;
    }

    /// As they came, and as they go out.
    public byte[] content() {
        return content;
    }

    /// The same with the codings undone that a message with these fields has; itself when they are. Called by the
    /// pipeline, for policies that ask for it. A policy may send one body to many, so this one stays as it is.
    ///
    /// @param most bytes that may come of it
    /// @param waiter whose memory that takes, and the JSON that is made of it
    /// @throws BodyRefusedException see [ContentCodings#undo]
    public HeldBody undone(ContentCodings codings, Headers fields, long most, UpstreamWaiter waiter) {
        if (content.length == 0) return this;
        if (!isPlainIn(waiter)) {
            byte[] bytes = codings.undo(fields.all("Content-Encoding"), content, most, waiter);
            return new HeldBody(content, bytes, waiter);
        }
        if (plain().length > most) throw new BodyTooLargeException(most);
        return this;
    }

    /// Whether [#undone] has nothing left to do for who holds it in that memory.
    public boolean isPlainIn(UpstreamWaiter waiter) {
        return content.length == 0 || (plain != null && memory.equals(waiter));
    }

    /// Whether [#plain] knows them: nobody undoes the codings of a stream without an end.
    public boolean isPlain() {
        return plain != null || content.length == 0;
    }

    /// Its bytes with `Content-Encoding` undone. Not to be changed.
    ///
    /// @throws IllegalStateException when the policy has not said that it wants them
    public byte[] plain() {
        if (content.length == 0) return content;
        if (plain == null) throw new IllegalStateException("this policy does not ask for plain bodies");
        return plain;
    }

    /// The memory that it is held in, for what a policy makes of it.
    public BodyMemory memory() {
        return memory;
    }

    /// Whether more than `bytes` are to be read of it.
    public boolean exceeds(long bytes) {
        return (plain == null ? content : plain).length > bytes;
    }

    /// The JSON that the plain bytes are, read once for all that ask: strict, at most 64 levels deep. Not to be
    /// changed.
    ///
    /// @throws BodyRefusedException with line and column when it is not one JSON value, or more than is read
    /// @throws UpstreamException when there is no memory for it
    public JsonNode json() {
        if (json == null) json = read(plain());
        return json;
    }

    /// The JSON that a part of it is, such as a field of a form, read likewise but for every one that asks.
    public JsonNode json(byte[] part) {
        return read(part);
    }

    private JsonNode read(byte[] bytes) {
        try {
            return Json.parse(bytes, memory::hold);
        } catch (JsonLimitException e) {
            throw BodyRefusedException.tooComplex(e.problems().getFirst().message());
        } catch (InvalidConfigException e) {
            throw BodyRefusedException.malformed(e.problems().getFirst().message());
        }
    }

    @Override
    public OptionalLong length() {
        return OptionalLong.of(content.length);
    }

    @Override
    public byte[] bytes(long max) {
        if (content.length > max) throw new BodyTooLargeException(max);
        return content;
    }

    /// Whether both are the same bytes in the same place.
    @Override
    @SuppressWarnings("ReferenceEquality") // that is what it asks
    public boolean equals(@Nullable Object other) {
        return other instanceof HeldBody that && content == that.content;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(content);
    }

    @Override
    public String toString() {
        return content.length + " bytes";
    }
}
