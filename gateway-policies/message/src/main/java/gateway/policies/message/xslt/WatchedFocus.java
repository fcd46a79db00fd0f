package gateway.policies.message.xslt;

import net.sf.saxon.om.FocusTrackingIterator;
import net.sf.saxon.om.Item;
import net.sf.saxon.om.SequenceIterator;
import org.jspecify.annotations.Nullable;

/// What a loop of a stylesheet goes over, with a look at the clock.
final class WatchedFocus extends FocusTrackingIterator {
    private final TransformBudget budget;

    WatchedFocus(SequenceIterator items, TransformBudget budget) {
        super(items);
        this.budget = budget;
    }

    @Override
    public @Nullable Item next() {
        budget.step();
        return super.next();
    }
}
