package gateway.policies.script.groovy;

import java.util.ArrayList;
import org.codehaus.groovy.ast.ClassHelper;
import org.codehaus.groovy.ast.expr.ArgumentListExpression;
import org.codehaus.groovy.ast.expr.BinaryExpression;
import org.codehaus.groovy.ast.expr.ConstantExpression;
import org.codehaus.groovy.ast.expr.Expression;
import org.codehaus.groovy.ast.expr.ListExpression;
import org.codehaus.groovy.ast.expr.MethodCallExpression;
import org.codehaus.groovy.ast.expr.StaticMethodCallExpression;
import org.codehaus.groovy.syntax.Types;

/// Has regular expressions count what they look at: puts [CountedRegex] in the place of operators and methods that
/// match.
final class WovenRegex extends WovenExpressions {
    @Override
    Expression woven(Expression expression) {
        return switch (expression) {
            case BinaryExpression binary -> woven(binary);
            case MethodCallExpression call -> woven(call);
            default -> expression;
        };
    }

    @Override
    Expression wovenOption(Expression option) {
        return option instanceof ConstantExpression ? option : counted("option", option);
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
        boolean own =
                call.isImplicitThis() || call.getObjectExpression().getText().equals("super");
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
}
