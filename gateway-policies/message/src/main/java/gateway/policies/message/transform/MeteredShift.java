package gateway.policies.message.transform;

import com.bazaarvoice.jolt.common.Optional;
import com.bazaarvoice.jolt.common.tree.MatchedElement;
import com.bazaarvoice.jolt.common.tree.WalkedPath;
import com.bazaarvoice.jolt.shiftr.spec.ShiftrCompositeSpec;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// JOLT's `shift`, which fills arrays up to whatever index it is to write, with a bound: it writes into a
/// [MeteredOutput], and names of the input that become indexes have four digits at most.
final class MeteredShift {
    private static final String ROOT = "root";
    private static final int MOST_DIGITS = 4;

    private final ShiftrCompositeSpec spec;
    private final boolean countsByNames;

    /// @param countsByNames whether the rules make indexes of names
    @SuppressWarnings("unchecked") // an object, as its reader has seen
    MeteredShift(Object rules, boolean countsByNames) {
        this.spec = new ShiftrCompositeSpec(ROOT, (Map<String, Object>) rules);
        this.countsByNames = countsByNames;
    }

    /// @throws RoomSpentException when more would come of it than there is room for
    @Nullable
    Object of(@Nullable Object input, TreeRoom room) {
        var output = new MeteredOutput(room);
        var path = countsByNames ? new NamedPath() : new WalkedPath();
        path.add(input, new MatchedElement(ROOT));
        spec.apply(ROOT, Optional.of(input), path, output.root(), Map.of());
        return output.of(ROOT);
    }

    /// The way to where JOLT is in its input.
    private static final class NamedPath extends WalkedPath {
        @Override
        public boolean add(Object value, MatchedElement matched) {
            boolean element = !isEmpty() && lastElement().getTreeRef() instanceof List;
            if (!element)
                for (int i = 0; i < matched.getSubKeyCount(); i++) check(matched.getSubKeyRef(i));
            return super.add(value, matched);
        }

        private static void check(String name) {
            if (name.length() <= MOST_DIGITS) return;
            boolean number = name.chars().allMatch(Character::isDigit);
            if (number || name.startsWith("+"))
                throw new RoomSpentException("indexes of at most " + MOST_DIGITS + " digits");
        }
    }
}
