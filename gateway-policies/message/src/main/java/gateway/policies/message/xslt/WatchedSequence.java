package gateway.policies.message.xslt;

import net.sf.saxon.expr.Expression;
import net.sf.saxon.expr.OperandRole;
import net.sf.saxon.expr.UnaryExpression;
import net.sf.saxon.expr.XPathContext;
import net.sf.saxon.expr.elab.Elaborator;
import net.sf.saxon.expr.elab.PullElaborator;
import net.sf.saxon.expr.elab.PullEvaluator;
import net.sf.saxon.expr.parser.ExpressionTool;
import net.sf.saxon.expr.parser.RebindingMap;
import net.sf.saxon.om.Item;
import net.sf.saxon.om.SequenceIterator;
import net.sf.saxon.trans.XPathException;
import org.jspecify.annotations.Nullable;

/// What an expression makes, with a look at the clock for each item of it.
final class WatchedSequence extends UnaryExpression {
    /// Stands for `watched` in a tree that is optimized already.
    WatchedSequence(Expression watched) {
        super(watched);
        ExpressionTool.copyLocationInfo(watched, this);
    }

    @Override
    protected OperandRole getOperandRole() {
        return OperandRole.SAME_FOCUS_ACTION;
    }

    @Override
    public String getExpressionName() {
        return "watched";
    }

    @Override
    public int getImplementationMethod() {
        return Expression.ITERATE_METHOD;
    }

    @Override
    protected int computeSpecialProperties() {
        return getBaseExpression().getSpecialProperties();
    }

    @Override
    public Expression copy(RebindingMap rebindings) {
        return new WatchedSequence(getBaseExpression().copy(rebindings));
    }

    @Override
    public SequenceIterator iterate(XPathContext context) throws XPathException {
        return watched(getBaseExpression().iterate(context));
    }

    @Override
    public Elaborator getElaborator() {
        return new PullElaborator() {
            @Override
            public PullEvaluator elaborateForPull() {
                PullEvaluator items = getBaseExpression().makeElaborator().elaborateForPull();
                return context -> watched(items.iterate(context));
            }
        };
    }

    private static SequenceIterator watched(SequenceIterator items) {
        if (!TransformBudget.CURRENT.isBound()) return items;
        TransformBudget budget = TransformBudget.CURRENT.get();
        return new SequenceIterator() {
            @Override
            public @Nullable Item next() {
                budget.step();
                return items.next();
            }

            @Override
            public void close() {
                items.close();
            }
        };
    }
}
