package gateway.policies.message.xslt;

import java.math.BigDecimal;
import java.math.BigInteger;
import net.sf.saxon.expr.Expression;
import net.sf.saxon.expr.OperandRole;
import net.sf.saxon.expr.UnaryExpression;
import net.sf.saxon.expr.XPathContext;
import net.sf.saxon.expr.elab.Elaborator;
import net.sf.saxon.expr.elab.ItemElaborator;
import net.sf.saxon.expr.elab.ItemEvaluator;
import net.sf.saxon.expr.parser.ExpressionTool;
import net.sf.saxon.expr.parser.RebindingMap;
import net.sf.saxon.om.Item;
import net.sf.saxon.trans.XPathException;
import net.sf.saxon.value.BigDecimalValue;
import net.sf.saxon.value.BigIntegerValue;
import org.jspecify.annotations.Nullable;

/// What an arithmetic expression makes, unless that is a number of so many digits that the next step takes long: each
/// multiplication adds up the digits of both.
final class BoundedNumber extends UnaryExpression {
    private static final int MOST_DIGITS = 10_000;
    private static final int MOST_BITS = 33_219; // of as many digits

    /// Stands for `arithmetic` in a tree that is optimized already.
    BoundedNumber(Expression arithmetic) {
        super(arithmetic);
        ExpressionTool.copyLocationInfo(arithmetic, this);
    }

    @Override
    protected OperandRole getOperandRole() {
        return OperandRole.SAME_FOCUS_ACTION;
    }

    @Override
    public String getExpressionName() {
        return "bounded";
    }

    @Override
    public int getImplementationMethod() {
        return Expression.EVALUATE_METHOD;
    }

    @Override
    protected int computeSpecialProperties() {
        return getBaseExpression().getSpecialProperties();
    }

    @Override
    public Expression copy(RebindingMap rebindings) {
        return new BoundedNumber(getBaseExpression().copy(rebindings));
    }

    @Override
    public @Nullable Item evaluateItem(XPathContext context) throws XPathException {
        return bounded(getBaseExpression().evaluateItem(context));
    }

    @Override
    public Elaborator getElaborator() {
        return new ItemElaborator() {
            @Override
            public ItemEvaluator elaborateForItem() {
                ItemEvaluator number = getBaseExpression().makeElaborator().elaborateForItem();
                return context -> bounded(number.eval(context));
            }
        };
    }

    private @Nullable Item bounded(@Nullable Item number) throws XPathException {
        boolean isLong = switch (number) {
            case BigIntegerValue integer -> isLong(integer.asBigInteger());
            case BigDecimalValue decimal -> isLong(decimal.getDecimalValue());
            case null, default -> false;
        };
        if (isLong) throw new XPathException("a number of too many digits", "FOAR0002").withLocation(getLocation());
        return number;
    }

    private static boolean isLong(BigDecimal number) {
        return Math.abs((long) number.scale()) > MOST_DIGITS || isLong(number.unscaledValue());
    }

    private static boolean isLong(BigInteger number) {
        return number.bitLength() > MOST_BITS;
    }
}
