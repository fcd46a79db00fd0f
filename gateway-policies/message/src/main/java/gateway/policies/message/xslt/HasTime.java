package gateway.policies.message.xslt;

import net.sf.saxon.expr.XPathContext;
import net.sf.saxon.lib.ExtensionFunctionCall;
import net.sf.saxon.lib.ExtensionFunctionDefinition;
import net.sf.saxon.om.NamespaceUri;
import net.sf.saxon.om.Sequence;
import net.sf.saxon.om.StructuredQName;
import net.sf.saxon.value.BooleanValue;
import net.sf.saxon.value.SequenceType;

/// A function that is true, or ends the transformation when its time or memory is spent.
final class HasTime extends ExtensionFunctionDefinition {
    static final String CALL = "Q{urn:gateway:stylesheet}has-time()";

    private static final StructuredQName NAME =
            new StructuredQName("", NamespaceUri.of("urn:gateway:stylesheet"), "has-time");

    @Override
    public StructuredQName getFunctionQName() {
        return NAME;
    }

    @Override
    public SequenceType[] getArgumentTypes() {
        return new SequenceType[0];
    }

    @Override
    public SequenceType getResultType(SequenceType[] argumentTypes) {
        return SequenceType.SINGLE_BOOLEAN;
    }

    @Override
    public boolean trustResultType() {
        return true;
    }

    /// So that no compiler takes it for a constant.
    @Override
    public boolean hasSideEffects() {
        return true;
    }

    @Override
    public ExtensionFunctionCall makeCallExpression() {
        return new ExtensionFunctionCall() {
            @Override
            public Sequence call(XPathContext context, Sequence[] arguments) {
                if (TransformBudget.CURRENT.isBound())
                    TransformBudget.CURRENT.get().call();
                return BooleanValue.TRUE;
            }
        };
    }
}
