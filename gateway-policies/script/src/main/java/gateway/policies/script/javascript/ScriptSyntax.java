package gateway.policies.script.javascript;

import org.mozilla.javascript.CompilerEnvirons;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.EvaluatorException;
import org.mozilla.javascript.Parser;
import org.mozilla.javascript.ast.ArrayLiteral;
import org.mozilla.javascript.ast.AstNode;
import org.mozilla.javascript.ast.BigIntLiteral;
import org.mozilla.javascript.ast.EmptyExpression;
import org.mozilla.javascript.ast.FunctionNode;
import org.mozilla.javascript.ast.Loop;
import org.mozilla.javascript.ast.RegExpLiteral;
import org.mozilla.javascript.ast.VariableDeclaration;

/// What Rhino would take and this gateway does not: big integers, of which one multiplication has no bound, expressions
/// that are too long, and what it would do otherwise than every other engine.
final class ScriptSyntax {
    private ScriptSyntax() {}

    /// @throws EvaluatorException with the place of what is wrong
    static void check(String source, Context context) {
        var environs = new CompilerEnvirons();
        environs.initFromContext(context);
        new Parser(environs).parse(source, "script", 1).visit(node -> {
            flaw(node, source);
            return true;
        });
    }

    private static void flaw(AstNode node, String source) {
        switch (node) {
            case BigIntLiteral _ -> throw at(node, source, "big integers are not supported");
            case ArrayLiteral pattern
            when pattern.isDestructuring() && hasHole(pattern) ->
                throw at(node, source, "patterns that leave elements out are not supported");
            case RegExpLiteral expression
            when expression.getValue().length() > Bounds.EXPRESSION ->
                throw at(node, source, "expected an expression of at most " + Bounds.EXPRESSION + " characters");
            case VariableDeclaration declaration
            when declaration.isConst() && isRepeated(declaration) ->
                throw at(node, source, "const keeps its first value within a loop: use let");
            default -> {}
        }
    }

    /// Whether it stands in the body of a loop of its own function: Rhino has one of it for the whole function.
    private static boolean isRepeated(AstNode declaration) {
        AstNode at = declaration.getParent();
        while (at != null && !(at instanceof FunctionNode)) {
            if (at instanceof Loop) return true;
            at = at.getParent();
        }
        return false;
    }

    private static boolean hasHole(ArrayLiteral pattern) {
        return pattern.getElements().stream().anyMatch(EmptyExpression.class::isInstance);
    }

    private static EvaluatorException at(AstNode node, String source, String what) {
        int begin = node.getAbsolutePosition();
        int line =
                (int) source.substring(0, begin).chars().filter(c -> c == '\n').count() + 1;
        int column = begin - source.lastIndexOf('\n', begin - 1);
        return new EvaluatorException(what, "script", line, "", column);
    }
}
