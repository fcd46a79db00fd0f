package gateway.policies.script.groovy;

import java.util.List;
import org.codehaus.groovy.ast.ClassCodeVisitorSupport;
import org.codehaus.groovy.ast.ClassHelper;
import org.codehaus.groovy.ast.ClassNode;
import org.codehaus.groovy.ast.MethodNode;
import org.codehaus.groovy.ast.expr.ArgumentListExpression;
import org.codehaus.groovy.ast.expr.ClosureExpression;
import org.codehaus.groovy.ast.expr.StaticMethodCallExpression;
import org.codehaus.groovy.ast.stmt.BlockStatement;
import org.codehaus.groovy.ast.stmt.DoWhileStatement;
import org.codehaus.groovy.ast.stmt.ExpressionStatement;
import org.codehaus.groovy.ast.stmt.ForStatement;
import org.codehaus.groovy.ast.stmt.Statement;
import org.codehaus.groovy.ast.stmt.WhileStatement;
import org.codehaus.groovy.classgen.GeneratorContext;
import org.codehaus.groovy.control.CompilePhase;
import org.codehaus.groovy.control.SourceUnit;
import org.codehaus.groovy.control.customizers.CompilationCustomizer;

/// Puts a look at what is used up at the begin of each turn of a loop, of each closure and of each method, and between
/// statements.
final class WovenChecks extends CompilationCustomizer {
    WovenChecks() {
        super(CompilePhase.CANONICALIZATION);
    }

    @Override
    public void call(SourceUnit source, GeneratorContext context, ClassNode type) {
        new Weaver(source).visitClass(type);
    }

    private static final class Weaver extends ClassCodeVisitorSupport {
        private final SourceUnit source;

        Weaver(SourceUnit source) {
            this.source = source;
        }

        @Override
        protected SourceUnit getSourceUnit() {
            return source;
        }

        @Override
        protected void visitConstructorOrMethod(MethodNode method, boolean isConstructor) {
            super.visitConstructorOrMethod(method, isConstructor);
            if (!isConstructor && !method.isSynthetic() && method.getCode() != null)
                method.setCode(checked(method.getCode()));
        }

        @Override
        public void visitClosureExpression(ClosureExpression closure) {
            super.visitClosureExpression(closure);
            closure.setCode(checked(closure.getCode()));
        }

        @Override
        public void visitForLoop(ForStatement loop) {
            super.visitForLoop(loop);
            loop.setLoopBlock(checked(loop.getLoopBlock()));
        }

        @Override
        public void visitWhileLoop(WhileStatement loop) {
            super.visitWhileLoop(loop);
            loop.setLoopBlock(checked(loop.getLoopBlock()));
        }

        @Override
        public void visitDoWhileLoop(DoWhileStatement loop) {
            super.visitDoWhileLoop(loop);
            loop.setLoopBlock(checked(loop.getLoopBlock()));
        }

        /// Not before the first one: a constructor's may be `super(…)`.
        @Override
        public void visitBlockStatement(BlockStatement block) {
            super.visitBlockStatement(block);
            List<Statement> statements = block.getStatements();
            for (int i = statements.size() - 1; i > 0; i--) statements.add(i, call("glance"));
        }

        private static Statement checked(Statement code) {
            var block = new BlockStatement();
            block.addStatement(call("check"));
            block.addStatement(code);
            return block;
        }

        private static Statement call(String method) {
            return new ExpressionStatement(new StaticMethodCallExpression(
                    ClassHelper.make(CountedWork.class), method, ArgumentListExpression.EMPTY_ARGUMENTS));
        }
    }
}
