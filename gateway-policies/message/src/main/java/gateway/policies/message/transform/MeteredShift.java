package gateway.policies.message.transform;

import com.bazaarvoice.jolt.common.Optional;
import com.bazaarvoice.jolt.common.tree.MatchedElement;
import com.bazaarvoice.jolt.common.tree.WalkedPath;
import com.bazaarvoice.jolt.shiftr.spec.ShiftrCompositeSpec;
import gateway.policies.message.BoundReachedException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// JOLT's `shift`, which fills arrays up to whatever index it is to write, with a bound: it writes into a
/// [MeteredOutput], and reads [IndexNames].
final class MeteredShift {
    private static final String ROOT = "root";

    private final ShiftrCompositeSpec spec;
    private final IndexNames names;

    @SuppressWarnings("unchecked") // an object, as its reader has seen
    MeteredShift(@Nullable Object rules, IndexNames names) {
        this.spec = new ShiftrCompositeSpec(ROOT, (Map<String, Object>) rules);
        this.names = names;
    }

    /// @throws BoundReachedException when more would come of it than there is room for
    @Nullable
    Object of(JsonNode tree, TreeRoom room) {
        var output = new MeteredOutput(room);
        Object input = names.plain(tree, room);
        var path = new WalkedPath(input, new MatchedElement(ROOT));
        spec.apply(ROOT, Optional.of(input), path, output.root(), Map.of());
        return output.of(ROOT);
    }
}
