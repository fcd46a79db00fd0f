package gateway.policies.cache;

import gateway.http.Body;
import gateway.http.Headers;
import gateway.service.EntryStore;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/// Answers as bytes, for other nodes: a version, what is kept, and the number of the last purge before it was asked
/// for. Large content of types that shrink is deflated.
final class AnswerFrame {
    private static final int VERSION = 2;
    private static final int WORTH_DEFLATING = 4 << 10;

    /// Others wait for it: content that is so large hardly fits, and stays here.
    private static final int MOST_DEFLATED = 4 * EntryStore.MOST_BYTES;

    private static final Pattern COMPRESSIBLE = Pattern.compile(
            "text/|application/([\\w.+-]+\\+)?(json|xml|javascript|yaml)\\b|image/svg\\+xml", Pattern.CASE_INSENSITIVE);

    /// How far clocks of nodes may differ before what another one has just got is taken for one of unknown age.
    private static final Duration SKEW = Duration.ofSeconds(1);

    private AnswerFrame() {}

    /// An answer that was read.
    ///
    /// @param purge the number of the last one when it was asked for
    record Read(CachedAnswer answer, long purge) {}

    /// Empty for one that is too large.
    static Optional<byte[]> write(CachedAnswer answer, long purge) {
        byte[] content = answer.body().content();
        if (content.length > MOST_DEFLATED) return Optional.empty();
        boolean deflates = isDeflated(answer);
        byte[] packed = deflates ? deflated(content) : content;
        if (packed.length > EntryStore.MOST_BYTES) return Optional.empty();
        var bytes = new ByteArrayOutputStream(packed.length + 1024);
        try (var out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            out.writeLong(purge);
            out.writeShort(answer.status());
            out.writeLong(answer.age().received().toEpochMilli());
            out.writeLong(answer.age().then().toMillis());
            texts(out, answer.lines());
            texts(out, answer.vary().names());
            texts(out, answer.vary().values());
            AnswerOrigin origin = answer.origin();
            texts(
                    out,
                    List.of(
                            origin.api(),
                            origin.host(),
                            origin.sent(),
                            origin.forwarded(),
                            origin.query(),
                            origin.upstream()));
            texts(out, origin.tags());
            out.writeBoolean(deflates);
            out.writeInt(content.length);
            out.writeInt(packed.length);
            out.write(packed);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // into memory
        }
        return bytes.size() > EntryStore.MOST_BYTES ? Optional.empty() : Optional.of(bytes.toByteArray());
    }

    /// Empty for what no node of this version has written.
    ///
    /// @param rules of the policy that asks, which are not those of whoever has kept it
    static Optional<Read> read(byte[] frame, KeepRules rules, Instant now) {
        try (var in = new DataInputStream(new ByteArrayInputStream(frame))) {
            if (in.readByte() != VERSION) return Optional.empty();
            long purge = in.readLong();
            int status = in.readUnsignedShort();
            Instant received = Instant.ofEpochMilli(in.readLong());
            if (received.isAfter(now) && !received.isAfter(now.plus(SKEW))) received = now;
            var age = new AnswerAge(Duration.ofMillis(in.readLong()), received);
            List<String> lines = texts(in);
            var vary = new VaryFields(texts(in), texts(in));
            List<String> origin = texts(in);
            var from = new AnswerOrigin(
                    origin.get(0),
                    origin.get(1),
                    origin.get(2),
                    origin.get(3),
                    origin.get(4),
                    origin.get(5),
                    Set.copyOf(texts(in)));
            boolean deflated = in.readBoolean();
            int length = in.readInt();
            int packedLength = in.readInt();
            if (length < 0 || length > rules.most() || packedLength != in.available()) return Optional.empty();
            byte[] packed = in.readNBytes(packedLength);
            byte[] content = deflated ? inflated(packed, length) : packed;
            if (content.length != length || lines.size() % 2 != 0) return Optional.empty();
            ReuseTerms terms = rules.terms(fields(lines), status, received);
            return Optional.of(new Read(
                    new CachedAnswer(status, lines, Body.of(content), terms, age, vary, from, new LongAdder()), purge));
        } catch (IOException | DataFormatException | RuntimeException e) {
            return Optional.empty();
        }
    }

    private static Headers fields(List<String> lines) {
        Headers fields = Headers.create();
        for (int i = 0; i < lines.size(); i += 2) fields.add(lines.get(i), lines.get(i + 1));
        return fields;
    }

    private static void texts(DataOutputStream out, Collection<String> texts) throws IOException {
        out.writeShort(texts.size());
        for (String each : texts) {
            byte[] bytes = each.getBytes(StandardCharsets.UTF_8);
            out.writeInt(bytes.length);
            out.write(bytes);
        }
    }

    private static List<String> texts(DataInputStream in) throws IOException {
        int count = in.readUnsignedShort();
        var texts = new ArrayList<String>(Math.min(count, 64));
        for (int i = 0; i < count; i++) {
            int length = in.readInt();
            if (length < 0 || length > in.available()) throw new IOException("a text that is not there");
            texts.add(new String(in.readNBytes(length), StandardCharsets.UTF_8));
        }
        return texts;
    }

    /// Whether [#write] takes its time.
    static boolean isDeflated(CachedAnswer answer) {
        int length = answer.body().content().length;
        return length > WORTH_DEFLATING
                && length <= MOST_DEFLATED
                && answer.field("Content-Encoding").isEmpty()
                && COMPRESSIBLE.matcher(answer.field("Content-Type").orElse("")).lookingAt();
    }

    /// As far as it goes into an entry, or a little more than that.
    private static byte[] deflated(byte[] content) {
        try (var deflater = new Deflater(Deflater.BEST_SPEED)) {
            deflater.setInput(content);
            deflater.finish();
            var bytes = new ByteArrayOutputStream(content.length / 2);
            byte[] piece = new byte[8 << 10];
            while (!deflater.finished() && bytes.size() <= EntryStore.MOST_BYTES)
                bytes.write(piece, 0, deflater.deflate(piece));
            return bytes.toByteArray();
        }
    }

    private static byte[] inflated(byte[] packed, int length) throws DataFormatException {
        try (var inflater = new Inflater()) {
            inflater.setInput(packed);
            byte[] content = new byte[length];
            int size = 0;
            while (size < length && !inflater.finished()) {
                int more = inflater.inflate(content, size, length - size);
                if (more == 0) throw new DataFormatException("it breaks off");
                size += more;
            }
            boolean isWhole = inflater.inflate(new byte[1]) == 0 && inflater.finished(); // and its sum is right
            if (size < length || !isWhole) throw new DataFormatException("it is not as long as it says");
            return content;
        }
    }
}
