package gateway.policies.script.groovy;

import java.util.ArrayList;
import org.codehaus.groovy.ast.ClassCodeExpressionTransformer;
import org.codehaus.groovy.ast.ClassHelper;
import org.codehaus.groovy.ast.ClassNode;
import org.codehaus.groovy.ast.Parameter;
import org.codehaus.groovy.ast.expr.ArgumentListExpression;
import org.codehaus.groovy.ast.expr.BinaryExpression;
import org.codehaus.groovy.ast.expr.ClosureExpression;
import org.codehaus.groovy.ast.expr.ConstantExpression;
import org.codehaus.groovy.ast.expr.Expression;
import org.codehaus.groovy.ast.expr.ListExpression;
import org.codehaus.groovy.ast.expr.MethodCallExpression;
import org.codehaus.groovy.ast.expr.StaticMethodCallExpression;
import org.codehaus.groovy.ast.stmt.CaseStatement;
import org.codehaus.groovy.classgen.GeneratorContext;
import org.codehaus.groovy.control.CompilePhase;
import org.codehaus.groovy.control.SourceUnit;
import org.codehaus.groovy.control.customizers.CompilationCustomizer;
import org.codehaus.groovy.syntax.Types;
import org.jspecify.annotations.Nullable;

/// Has regular expressions count what they look at: puts [CountedRegex] in the place of operators and methods that
/// match.
final class WovenRegex extends CompilationCustomizer {
    WovenRegex() {
        super(CompilePhase.CANONICALIZATION);
    }

    @Override
    public void call(SourceUnit source, GeneratorContext context, ClassNode type) {
        new Weaver(source).visitClass(type);
    }

    private static final class Weaver extends ClassCodeExpressionTransformer {
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
            if (!(statement.getExpression() instanceof ConstantExpression))
                statement.setExpression(counted("option", statement.getExpression()));
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
                case BinaryExpression binary -> woven((BinaryExpression) binary.transformExpression(this));
                case MethodCallExpression call -> {
                    Expression inner = call.transformExpression(this);
                    yield inner instanceof MethodCallExpression whole ? woven(whole) : inner;
                }
                default -> expression.transformExpression(this);
            };
        }

        private static Expression woven(BinaryExpression binary) {
            Expression left = binary.getLeftExpression();
            Expression right = binary.getRightExpression();
            switch (binary.getOperation().getType()) {
                case Types.FIND_REGEX -> {
                    return at(binary, counted("find", left, right));
                }
                case Types.MATCH_REGEX -> {
                    return at(binary, counted("match", left, right));
                }
                case Types.KEYWORD_IN, Types.COMPARE_NOT_IN -> binary.setRightExpression(counted("option", right));
                default -> {}
            }
            return binary;
        }

        private static Expression woven(MethodCallExpression call) {
            String name = call.getMethodAsString();
            boolean own = call.isImplicitThis()
                    || call.getObjectExpression().getText().equals("super");
            if (own || name == null || !CountedRegex.METHODS.contains(name)) return call;
            if (!(call.getArguments() instanceof ArgumentListExpression arguments)) return call;
            String how = call.isSpreadSafe() ? "callEach" : call.isSafe() ? "callSafely" : "call";
            Expression values = new ListExpression(new ArrayList<>(arguments.getExpressions()));
            return at(call, counted(how, call.getObjectExpression(), new ConstantExpression(name), values));
        }

        private static Expression counted(String method, Expression... arguments) {
            return new StaticMethodCallExpression(
                    ClassHelper.make(CountedRegex.class), method, new ArgumentListExpression(arguments));
        }

        private static Expression at(Expression place, Expression woven) {
            woven.setSourcePosition(place);
            return woven;
        }
    }
}
