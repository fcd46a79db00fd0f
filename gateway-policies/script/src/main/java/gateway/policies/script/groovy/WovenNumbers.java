package gateway.policies.script.groovy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.codehaus.groovy.ast.ClassHelper;
import org.codehaus.groovy.ast.ClassNode;
import org.codehaus.groovy.ast.expr.ArgumentListExpression;
import org.codehaus.groovy.ast.expr.CastExpression;
import org.codehaus.groovy.ast.expr.ConstructorCallExpression;
import org.codehaus.groovy.ast.expr.Expression;
import org.codehaus.groovy.ast.expr.MethodCallExpression;
import org.codehaus.groovy.ast.expr.StaticMethodCallExpression;

/// Has texts looked at before numbers without end are made of them ([BoundedNumbers]).
final class WovenNumbers extends WovenExpressions {
    private static final Set<String> METHODS =
            Set.of("asType", "isBigDecimal", "isBigInteger", "isNumber", "toBigDecimal", "toBigInteger");
    private static final Set<String> TYPES = Set.of("BigDecimal", "BigInteger");

    @Override
    Expression woven(Expression expression) {
        return switch (expression) {
            case CastExpression cast
            when makesNumber(cast.getType()) -> {
                var woven = new CastExpression(cast.getType(), checked(cast.getExpression()));
                woven.setCoerce(cast.isCoerce());
                yield at(cast, woven);
            }
            case ConstructorCallExpression call
            when makesNumber(call.getType()) && call.getArguments() instanceof ArgumentListExpression given -> {
                List<Expression> arguments = new ArrayList<>();
                for (Expression each : given.getExpressions()) arguments.add(checked(each));
                yield at(call, new ConstructorCallExpression(call.getType(), new ArgumentListExpression(arguments)));
            }
            case MethodCallExpression call
            when METHODS.contains(String.valueOf(call.getMethodAsString())) && !call.isImplicitThis() -> {
                call.setObjectExpression(checked(call.getObjectExpression()));
                yield call;
            }
            default -> expression;
        };
    }

    private static boolean makesNumber(ClassNode type) {
        return TYPES.contains(type.getNameWithoutPackage());
    }

    private static Expression checked(Expression value) {
        return at(
                value,
                new StaticMethodCallExpression(
                        ClassHelper.make(BoundedNumbers.class), "checked", new ArgumentListExpression(value)));
    }
}
