package gateway.policies.message.xslt;

import gateway.json.InvalidConfigException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import net.sf.saxon.om.NamePool;
import net.sf.saxon.s9api.Processor;
import net.sf.saxon.s9api.QName;
import net.sf.saxon.s9api.SaxonApiException;
import net.sf.saxon.s9api.XsltCompiler;
import net.sf.saxon.s9api.XsltExecutable;
import net.sf.saxon.trans.UncheckedXPathException;

/// What Saxon has made of a stylesheet, for many threads at once.
///
/// @param names of all elements and attributes that it has met, in the stylesheet and in messages: Saxon forgets none
/// @param before how many namespaces of messages were new before it was made: it holds some of those that came later
record CompiledStylesheet(XsltExecutable executable, NamePool names, long before) {
    private static final int MOST_NAMES = 50_000;
    private static final int MOST_NAMESPACES = 10_000;
    private static final Duration MOST_TIME = Duration.ofSeconds(30); // what runs while it is compiled has no end
    private static final long MOST_MEMORY = 1L << 30;
    private static final int FIRST_NAME = 1024; // below are those of the standards

    /// A compiler of its own for each: one that is shared keeps the errors of the one before.
    ///
    /// @throws InvalidConfigException with what is wrong
    static CompiledStylesheet of(StylesheetDocuments documents) {
        return of(documents, new TransformBudget(MOST_TIME, MOST_MEMORY));
    }

    static CompiledStylesheet of(StylesheetDocuments documents, TransformBudget budget) {
        var configuration = new ClosedConfiguration();
        XsltCompiler compiler = new Processor(configuration).newXsltCompiler();
        var errors = new StylesheetErrors(documents);
        compiler.setErrorReporter(errors);
        compiler.setResourceResolver(documents);
        try {
            long before = EngineNamespaces.ALL.met();
            XsltExecutable executable =
                    ScopedValue.where(TransformBudget.CURRENT, budget).call(() -> compiler.compile(documents.main()));
            return new CompiledStylesheet(executable, configuration.getNamePool(), before);
        } catch (SaxonApiException | UncheckedXPathException e) {
            throw new InvalidConfigException(
                    switch (budget.spent()) {
                        case NOTHING -> errors.problems(e);
                        case TIME -> errors.problems("no time is left");
                        case MEMORY -> errors.problems("no memory is left");
                    });
        }
    }

    /// Whether it has met so many names or namespaces that it is time for a new one.
    boolean isWorn() {
        return names.getUnprefixedQName(FIRST_NAME + MOST_NAMES) != null
                || EngineNamespaces.ALL.met() - before > MOST_NAMESPACES;
    }

    /// Those that may be given to it, and whether each has to be.
    Map<String, Boolean> parameters() {
        var parameters = new HashMap<String, Boolean>();
        for (Map.Entry<QName, XsltExecutable.ParameterDetails> each :
                executable.getGlobalParameters().entrySet()) {
            if (!each.getKey().getNamespace().isEmpty()) continue;
            parameters.put(each.getKey().getLocalName(), each.getValue().isRequired());
        }
        return parameters;
    }
}
