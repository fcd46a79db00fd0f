package gateway.policies.script.groovy;

import java.util.Set;
import org.codehaus.groovy.ast.ASTNode;
import org.codehaus.groovy.ast.AnnotatedNode;
import org.codehaus.groovy.ast.AnnotationNode;
import org.codehaus.groovy.ast.ClassCodeVisitorSupport;
import org.codehaus.groovy.ast.ClassNode;
import org.codehaus.groovy.ast.FieldNode;
import org.codehaus.groovy.ast.ImportNode;
import org.codehaus.groovy.ast.expr.BinaryExpression;
import org.codehaus.groovy.ast.expr.BitwiseNegationExpression;
import org.codehaus.groovy.ast.expr.ConstructorCallExpression;
import org.codehaus.groovy.ast.expr.MethodCallExpression;
import org.codehaus.groovy.ast.expr.MethodPointerExpression;
import org.codehaus.groovy.ast.expr.PropertyExpression;
import org.codehaus.groovy.ast.expr.VariableExpression;
import org.codehaus.groovy.classgen.GeneratorContext;
import org.codehaus.groovy.control.CompilePhase;
import org.codehaus.groovy.control.SourceUnit;
import org.codehaus.groovy.control.customizers.CompilationCustomizer;
import org.codehaus.groovy.control.messages.SyntaxErrorMessage;
import org.codehaus.groovy.syntax.SyntaxException;
import org.codehaus.groovy.syntax.Types;
import org.jspecify.annotations.Nullable;

/// Refuses what no script for messages needs, before any of it is resolved: annotations, of which some run while it is
/// compiled, and names that lead to the process. A guard against mistakes: who wants to get past it will.
final class RefusedCode extends CompilationCustomizer {
    private static final Set<String> NAMES = Set.of(
            "System",
            "Runtime",
            "ProcessBuilder",
            "Process",
            "ProcessGroovyMethods",
            "Thread",
            "ThreadGroup",
            "Class",
            "ClassLoader",
            "GroovyShell",
            "GroovyClassLoader",
            "GroovyScriptEngine",
            "Eval",
            "File",
            "Files",
            "Paths",
            "URL",
            "URI",
            "Socket",
            "ServerSocket",
            "Executors",
            "CompletableFuture",
            "ForkJoinPool",
            "Timer",
            "Unsafe",
            "MethodHandles",
            "InvokerHelper",
            "CountedWork",
            "CountedRegex",
            "Scanner", // which matches what it reads
            "GroovyRun",
            "ScopedValue");
    private static final Set<String> METHODS = Set.of(
            "execute",
            "evaluate",
            "getClassLoader",
            "forName",
            "newInstance",
            "invokeMethod",
            "getMetaClass",
            "addShutdownHook",
            "setDefault", // of the whole process, such as its language
            "parallelStream",
            "asPredicate", // what follows matches where nobody counts
            "asMatchPredicate",
            "splitAsStream",
            "splitEachLine",
            "splitWithDelimiters");

    /// Methods that match, as a value that is called later.
    private static final Set<String> MATCHING = Set.of(
            "matches",
            "replaceAll",
            "replaceFirst",
            "split",
            "eachMatch",
            "matcher",
            "find",
            "findAll",
            "grep",
            "isCase",
            "minus");

    private static final Set<String> PROPERTIES = Set.of("class", "metaClass", "classLoader", "binding");
    private static final Set<String> PACKAGES = Set.of("java.util.", "java.time.", "java.math.", "java.text.");

    /// Annotations that Groovy itself puts on what it makes of a script; they do nothing.
    private static final Set<String> WRITTEN_BY_GROOVY =
            Set.of("groovy.transform.Generated", "groovy.transform.BaseScript");

    RefusedCode() {
        super(CompilePhase.CONVERSION);
    }

    @Override
    public void call(SourceUnit source, GeneratorContext context, ClassNode type) {
        var visitor = new Visitor(source);
        for (ImportNode each : source.getAST().getImports()) visitor.imported(each, each.getClassName());
        for (ImportNode each : source.getAST().getStarImports()) visitor.imported(each, each.getPackageName());
        source.getAST().getStaticImports().values().forEach(each -> visitor.imported(each, each.getClassName()));
        source.getAST().getStaticStarImports().values().forEach(each -> visitor.imported(each, each.getClassName()));
        visitor.visitClass(type);
    }

    private static final class Visitor extends ClassCodeVisitorSupport {
        private final SourceUnit source;

        Visitor(SourceUnit source) {
            this.source = source;
        }

        @Override
        protected SourceUnit getSourceUnit() {
            return source;
        }

        void imported(ImportNode node, @Nullable String name) {
            if (!node.getAnnotations().isEmpty()) refuse(node, "annotations");
            if (name == null || PACKAGES.stream().noneMatch(name::startsWith)) {
                refuse(node, "import of " + name);
                return;
            }
            boolean matches = node.isStatic() && name.equals("java.util.regex.Pattern"); // where nobody counts
            if (matches || NAMES.contains(name.substring(name.lastIndexOf('.') + 1))) refuse(node, "import of " + name);
        }

        @Override
        public void visitAnnotations(AnnotatedNode node) {
            for (AnnotationNode each : node.getAnnotations()) {
                if (!WRITTEN_BY_GROOVY.contains(each.getClassNode().getName())) refuse(node, "annotations");
            }
        }

        /// One request would leave there what the next one sees. The constants of an enum are such fields too.
        @Override
        public void visitField(FieldNode field) {
            boolean written = field.getLineNumber() > 0; // what Groovy makes of an enum has no line
            if (field.isStatic() && !field.isEnum() && written) refuse(field, "static fields");
            super.visitField(field);
        }

        @Override
        public void visitMethodCallExpression(MethodCallExpression call) {
            String name = call.getMethodAsString();
            if (name == null) refuse(call, "calls of methods by names that are computed");
            else if (METHODS.contains(name) || name.endsWith("Async")) refuse(call, name);
            super.visitMethodCallExpression(call);
        }

        @Override
        public void visitMethodPointerExpression(MethodPointerExpression pointer) {
            String name = pointer.getMethodName().getText();
            if (MATCHING.contains(name) || METHODS.contains(name)) refuse(pointer, name + " as a value");
            super.visitMethodPointerExpression(pointer);
        }

        @Override
        public void visitBinaryExpression(BinaryExpression binary) {
            int operation = binary.getOperation().getType();
            boolean taken = operation == Types.MINUS || operation == Types.MINUS_EQUAL;
            if (taken && binary.getRightExpression() instanceof BitwiseNegationExpression)
                refuse(binary, "a text without what a pattern matches (`replaceFirst` does it)");
            super.visitBinaryExpression(binary);
        }

        @Override
        public void visitConstructorCallExpression(ConstructorCallExpression call) {
            if (NAMES.contains(call.getType().getNameWithoutPackage()))
                refuse(call, call.getType().getName());
            super.visitConstructorCallExpression(call);
        }

        @Override
        public void visitVariableExpression(VariableExpression variable) {
            if (NAMES.contains(variable.getName())) refuse(variable, variable.getName());
            super.visitVariableExpression(variable);
        }

        @Override
        public void visitPropertyExpression(PropertyExpression property) {
            String name = property.getPropertyAsString();
            if (name != null && (NAMES.contains(name) || PROPERTIES.contains(name))) refuse(property, name);
            String holder = property.getObjectExpression().getText();
            boolean ofProcess = holder.equals("Locale") || holder.endsWith("TimeZone") || holder.endsWith(".Locale");
            if (ofProcess && "default".equals(name)) refuse(property, name);
            super.visitPropertyExpression(property);
        }

        private void refuse(ASTNode node, String what) {
            var flaw = new SyntaxException(what + ": not in scripts", node.getLineNumber(), node.getColumnNumber());
            source.getErrorCollector().addErrorAndContinue(new SyntaxErrorMessage(flaw, source));
        }
    }
}
