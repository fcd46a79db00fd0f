package gateway.policies.script.groovy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.codehaus.groovy.ast.ClassCodeExpressionTransformer;
import org.codehaus.groovy.ast.ClassHelper;
import org.codehaus.groovy.ast.ClassNode;
import org.codehaus.groovy.ast.expr.ArgumentListExpression;
import org.codehaus.groovy.ast.expr.CastExpression;
import org.codehaus.groovy.ast.expr.ClosureExpression;
import org.codehaus.groovy.ast.expr.ConstructorCallExpression;
import org.codehaus.groovy.ast.expr.Expression;
import org.codehaus.groovy.ast.expr.MethodCallExpression;
import org.codehaus.groovy.ast.expr.StaticMethodCallExpression;
import org.codehaus.groovy.classgen.GeneratorContext;
import org.codehaus.groovy.control.CompilePhase;
import org.codehaus.groovy.control.SourceUnit;
import org.codehaus.groovy.control.customizers.CompilationCustomizer;
import org.jspecify.annotations.Nullable;

/// Has texts looked at before numbers without end are made of them ([BoundedNumbers]).
final class WovenNumbers extends CompilationCustomizer {
    private static final Set<String> METHODS =
            Set.of("asType", "isBigDecimal", "isBigInteger", "isNumber", "toBigDecimal", "toBigInteger");
    private static final Set<String> TYPES = Set.of("BigDecimal", "BigInteger");

    WovenNumbers() {
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
        public @Nullable Expression transform(@Nullable Expression expression) {
            if (expression == null) return null;
            if (expression instanceof ClosureExpression closure) {
                closure.getCode().visit(this);
                return closure;
            }
            Expression inner = expression.transformExpression(this);
            return switch (inner) {
                case CastExpression cast
                when makesNumber(cast.getType()) -> {
                    var woven = new CastExpression(cast.getType(), checked(cast.getExpression()));
                    woven.setCoerce(cast.isCoerce());
                    woven.setSourcePosition(cast);
                    yield woven;
                }
                case ConstructorCallExpression call
                when makesNumber(call.getType()) && call.getArguments() instanceof ArgumentListExpression given -> {
                    List<Expression> arguments = new ArrayList<>();
                    for (Expression each : given.getExpressions()) arguments.add(checked(each));
                    var woven = new ConstructorCallExpression(call.getType(), new ArgumentListExpression(arguments));
                    woven.setSourcePosition(call);
                    yield woven;
                }
                case MethodCallExpression call
                when METHODS.contains(String.valueOf(call.getMethodAsString())) && !call.isImplicitThis() -> {
                    call.setObjectExpression(checked(call.getObjectExpression()));
                    yield call;
                }
                default -> inner;
            };
        }

        private static boolean makesNumber(ClassNode type) {
            return TYPES.contains(type.getNameWithoutPackage());
        }

        private static Expression checked(Expression value) {
            var check = new StaticMethodCallExpression(
                    ClassHelper.make(BoundedNumbers.class), "checked", new ArgumentListExpression(value));
            check.setSourcePosition(value);
            return check;
        }
    }
}
