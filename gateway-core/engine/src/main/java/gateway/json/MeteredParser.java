package gateway.json;

import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.util.JsonParserDelegate;

/// Tells how much memory a tree takes while it is read. A list of empty lists takes thirty times its text, so
/// the text does not tell.
final class MeteredParser extends JsonParserDelegate {
    private static final int TOKENS = 64; // that are told of at a time
    private static final long BYTES = 72; // of one; an object with one number takes four, and 260 bytes

    private final LongConsumer takes;
    private int tokens;

    MeteredParser(JsonParser parser, LongConsumer takes) {
        super(parser);
        this.takes = takes;
    }

    @Override
    public @Nullable JsonToken nextToken() {
        count();
        return super.nextToken();
    }

    @Override
    public @Nullable String nextName() {
        count();
        return super.nextName();
    }

    private void count() {
        if (tokens++ % TOKENS == 0) takes.accept(TOKENS * BYTES);
    }
}
