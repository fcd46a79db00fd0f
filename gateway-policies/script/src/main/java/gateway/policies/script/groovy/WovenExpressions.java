package gateway.policies.script.groovy;

import org.codehaus.groovy.ast.ClassCodeExpressionTransformer;
import org.codehaus.groovy.ast.ClassNode;
import org.codehaus.groovy.ast.Parameter;
import org.codehaus.groovy.ast.expr.ClosureExpression;
import org.codehaus.groovy.ast.expr.Expression;
import org.codehaus.groovy.ast.stmt.CaseStatement;
import org.codehaus.groovy.classgen.GeneratorContext;
import org.codehaus.groovy.control.CompilePhase;
import org.codehaus.groovy.control.SourceUnit;
import org.codehaus.groovy.control.customizers.CompilationCustomizer;
import org.jspecify.annotations.Nullable;

/// Puts other expressions in the place of those of a script, wherever they stand: within closures too, and as the usual
/// values of their parameters.
abstract class WovenExpressions extends CompilationCustomizer {
    WovenExpressions() {
        super(CompilePhase.CANONICALIZATION);
    }

    /// What stands for an expression whose own expressions are woven already; it itself where nothing has to.
    abstract Expression woven(Expression expression);

    /// The same of what a `case` compares with.
    Expression wovenOption(Expression option) {
        return option;
    }

    @Override
    public final void call(SourceUnit source, GeneratorContext context, ClassNode type) {
        new Weaver(source).visitClass(type);
    }

    private final class Weaver extends ClassCodeExpressionTransformer {
        private final SourceUnit source;

        Weaver(SourceUnit source) {
            this.source = source;
        }

        @Override
        protected SourceUnit getSourceUnit() {
            return source;
        }

        @Override
        public void visitCaseStatement(CaseStatement statement) {
            super.visitCaseStatement(statement);
            statement.setExpression(wovenOption(statement.getExpression()));
        }

        @Override
        public @Nullable Expression transform(@Nullable Expression expression) {
            return switch (expression) {
                case null -> null;
                case ClosureExpression closure -> {
                    if (closure.getParameters() != null)
                        for (Parameter each : closure.getParameters()) {
                            if (each.hasInitialExpression())
                                each.setInitialExpression(transform(each.getInitialExpression()));
                        }
                    closure.getCode().visit(this);
                    yield closure;
                }
                default -> woven(expression.transformExpression(this));
            };
        }
    }

    /// The same, told to stand where `place` does.
    static Expression at(Expression place, Expression woven) {
        woven.setSourcePosition(place);
        return woven;
    }
}
