package gateway.policies.message;

import com.google.auto.service.AutoService;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.json.ConfigNode;
import gateway.policy.BodyAccess;
import gateway.policy.BodyUse;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;

/// Packs answers on their way to clients that take them packed.
///
/// @param encodings what they are packed by, where the client likes them the same: the best first
/// @param minimum bytes of an answer that is worth it, where its length is known
/// @param level 1 to 9, of each coding's own scale
/// @param cookies whether answers that set cookies are packed too
public record Compression(List<Packing> encodings, MediaRanges types, long minimum, int level, boolean cookies)
        implements PolicySpec {
    private static final List<Packing> ALL = List.of(Packing.values());
    private static final String GRPC = "application/grpc";
    private static final List<String> USUAL =
            List.of("application/json", "*/*+json", "application/xml", "*/*+xml", "application/javascript", "text/*");

    public Compression {
        encodings = List.copyOf(encodings);
    }

    /// By whatever there is.
    public static Compression of(MediaRanges types, long minimum, int level, boolean cookies) {
        return new Compression(ALL, types, minimum, level, cookies);
    }

    /// Codings whose library does not load here are not offered.
    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        PackingRoom room = services.shared(new PackingRoom.Id(), PackingRoom.class, PackingRoom::ofHeap);
        ZstdBuffers buffers = services.shared(new ZstdBuffers.Id(), ZstdBuffers.class, ZstdBuffers::new);
        List<Packing> offered = encodings.stream().filter(Packing::isAvailable).toList();
        return exchange -> Verdict.proceed(new CompressedAnswer(
                this, taken(offered, exchange), exchange.method().equals("HEAD"), room, buffers));
    }

    private static List<Packing> taken(List<Packing> offered, Exchange exchange) {
        Headers fields = exchange.headers();
        return forbidsTransforming(fields) ? List.of() : AcceptedCodings.of(offered, fields.all("Accept-Encoding"));
    }

    @Override
    public BodyUse bodyUse() {
        return BodyUse.ofResponses(BodyAccess.streamed().only(this::fits));
    }

    /// Whether an answer with these fields goes out packed to whoever takes it so.
    boolean fits(Headers fields, OptionalLong length) {
        return types.include(fields)
                && !isGrpc(fields)
                && length.orElse(Long.MAX_VALUE) >= minimum
                && !fields.contains("Content-Encoding")
                && !fields.contains("Content-Range")
                && (cookies || !fields.contains("Set-Cookie"))
                && !forbidsTransforming(fields);
    }

    /// It packs its own messages.
    private static boolean isGrpc(Headers fields) {
        String type = fields.first("Content-Type").orElse("");
        return type.regionMatches(true, 0, GRPC, 0, GRPC.length());
    }

    private static boolean forbidsTransforming(Headers fields) {
        for (String each : fields.all("Cache-Control"))
            if (each.toLowerCase(Locale.ROOT).contains("no-transform")) return true;
        return false;
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        private static final long LARGEST = 1L << 30;

        @Override
        public String name() {
            return "compression";
        }

        @Override
        public Stage stage() {
            return Stage.GUARD;
        }

        @Override
        public Compression read(ConfigNode node) {
            return new Compression(
                    encodings(node.field("encodings", "what answers are packed by, the best first")),
                    MediaRanges.read(node.field("types", "of answers that are packed"), USUAL),
                    node.field("minimum", "bytes of an answer that is worth it, where its length is known")
                            .size(1, LARGEST, 1024),
                    (int) node.field("level", "1 is fast, 9 packs best, by each coding's own scale")
                            .integer(1, 9, 4),
                    node.field("cookies", "whether answers that set cookies are packed too")
                            .bool(false));
        }

        private static Packing encoding(ConfigNode node) {
            if (!node.isPresent()) node.problem("expected a coding such as \"gzip\", got nothing");
            return node.choice(Packing.GZIP);
        }

        private static List<Packing> encodings(ConfigNode node) {
            boolean given = node.unlessGiven("`zstd`, `br`, `gzip`").isPresent();
            List<Packing> listed = node.list(Type::encoding);
            if (!given) return ALL;
            node.extent(1, Integer.MAX_VALUE).unique();
            if (listed.isEmpty()) node.problem("expected one or more, got none");
            if (listed.size() != Set.copyOf(listed).size()) node.problem("expected each at most once");
            return listed;
        }
    }
}
