package gateway.policies.message.xslt;

import net.sf.saxon.Configuration;
import net.sf.saxon.expr.ArithmeticExpression;
import net.sf.saxon.expr.AxisExpression;
import net.sf.saxon.expr.Expression;
import net.sf.saxon.expr.ForExpression;
import net.sf.saxon.expr.Operand;
import net.sf.saxon.expr.QuantifiedExpression;
import net.sf.saxon.expr.SlashExpression;
import net.sf.saxon.expr.instruct.UserFunction;
import net.sf.saxon.expr.parser.Optimizer;
import net.sf.saxon.expr.parser.OptimizerOptions;
import net.sf.saxon.expr.sort.DocumentSorter;
import net.sf.saxon.functions.hof.UserFunctionReference;
import net.sf.saxon.om.AxisInfo;
import net.sf.saxon.om.NamespaceUri;
import org.jspecify.annotations.Nullable;

/// Puts a look at the clock into loops within one expression, once nothing more is made of it: what is gathered to be
/// sorted (`//a/../b`), `for`, `some` and `every`, and paths whose last step may lead to the same nodes again and
/// again; and bounds the digits of what is calculated.
final class WatchedLoops extends Optimizer {
    WatchedLoops(Configuration configuration, OptimizerOptions options) {
        super(configuration);
        setOptimizerOptions(options.intersect(OptimizerOptions.FULL_HE_OPTIMIZATION));
    }

    /// What Saxon does last with the body of a template, a function or a variable.
    @Override
    public Expression eliminateCommonSubexpressions(Expression body) {
        watchWithin(body);
        return watched(body, goesBack(body));
    }

    private static void watchWithin(Expression parent) {
        for (Operand each : parent.operands()) {
            Expression child = each.getChildExpression();
            if (isWatched(child)) continue; // seen with a body that stands within this one
            watchWithin(child);
            boolean gathered = parent instanceof DocumentSorter;
            each.setChildExpression(watched(child, gathered || isLoop(parent, each) || goesBack(child)));
        }
        if (parent instanceof UserFunctionReference function) watchInline(function.getNominalTarget());
    }

    private static boolean isWatched(Expression expression) {
        return expression instanceof WatchedSequence || expression instanceof BoundedNumber;
    }

    private static Expression watched(Expression expression, boolean loops) {
        if (expression instanceof ArithmeticExpression) return new BoundedNumber(expression);
        return loops ? new WatchedSequence(expression) : expression;
    }

    /// The body of `function($a) { … }`, which no operand leads to; those with a name are seen by themselves.
    private static void watchInline(@Nullable UserFunction function) {
        if (function == null || !function.getFunctionName().hasURI(NamespaceUri.ANONYMOUS)) return;
        Expression body = function.getBody();
        if (isWatched(body)) return;
        watchWithin(body);
        function.setBody(watched(body, true));
    }

    private static boolean isLoop(Expression parent, Operand operand) {
        return switch (parent) {
            case ForExpression loop -> loop.getSequenceOp() == operand;
            case QuantifiedExpression loop -> loop.getSequenceOp() == operand;
            default -> false;
        };
    }

    /// Whether it is a path that gives a node, or something else, for many others.
    private static boolean goesBack(Expression expression) {
        if (!(expression instanceof SlashExpression path)) return false;
        return switch (path.getLastStep()) {
            case AxisExpression step -> !isDownward(step.getAxis());
            default -> true;
        };
    }

    private static boolean isDownward(int axis) {
        return axis == AxisInfo.CHILD
                || axis == AxisInfo.ATTRIBUTE
                || axis == AxisInfo.SELF
                || axis == AxisInfo.DESCENDANT
                || axis == AxisInfo.DESCENDANT_OR_SELF;
    }
}
