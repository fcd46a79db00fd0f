package gateway.policies.message.xslt;

import net.sf.saxon.om.FocusTrackingIterator;
import net.sf.saxon.om.Item;
import net.sf.saxon.om.SequenceIterator;
import org.jspecify.annotations.Nullable;

/// What a loop of a stylesheet goes over, with a look at the clock.
final class WatchedFocus extends FocusTrackingIterator {
    private final TransformTime time;

    WatchedFocus(SequenceIterator items, TransformTime time) {
        super(items);
        this.time = time;
    }

    @Override
    public @Nullable Item next() {
        time.step();
        return super.next();
    }
}
