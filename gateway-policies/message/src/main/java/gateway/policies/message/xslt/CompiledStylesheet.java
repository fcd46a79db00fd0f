package gateway.policies.message.xslt;

import gateway.json.InvalidConfigException;
import java.util.HashMap;
import java.util.Map;
import net.sf.saxon.om.NamePool;
import net.sf.saxon.s9api.Processor;
import net.sf.saxon.s9api.QName;
import net.sf.saxon.s9api.SaxonApiException;
import net.sf.saxon.s9api.XsltCompiler;
import net.sf.saxon.s9api.XsltExecutable;

/// What Saxon has made of a stylesheet, for many threads at once.
///
/// @param names of all elements and attributes that it has met, in the stylesheet and in messages: Saxon forgets none
record CompiledStylesheet(XsltExecutable executable, NamePool names) {
    private static final int MOST_NAMES = 50_000;
    private static final int FIRST_NAME = 1024; // below are those of the standards

    /// A compiler of its own for each: one that is shared keeps the errors of the one before.
    ///
    /// @throws InvalidConfigException with what is wrong
    static CompiledStylesheet of(StylesheetDocuments documents) {
        var configuration = new ClosedConfiguration();
        XsltCompiler compiler = new Processor(configuration).newXsltCompiler();
        var errors = new StylesheetErrors(documents);
        compiler.setErrorReporter(errors);
        compiler.setResourceResolver(documents);
        try {
            return new CompiledStylesheet(compiler.compile(documents.main()), configuration.getNamePool());
        } catch (SaxonApiException e) {
            throw new InvalidConfigException(errors.problems(String.valueOf(e.getMessage())));
        }
    }

    /// Whether it has met so many names that it is time for a new one.
    boolean isWorn() {
        return names.getUnprefixedQName(FIRST_NAME + MOST_NAMES) != null;
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
