package gateway.policies.message.xslt;

import gateway.xml.Xml;
import java.util.List;
import java.util.function.Function;
import net.sf.saxon.Configuration;
import net.sf.saxon.expr.instruct.Executable;
import net.sf.saxon.expr.parser.Optimizer;
import net.sf.saxon.expr.parser.OptimizerOptions;
import net.sf.saxon.lib.Feature;
import net.sf.saxon.lib.NamespaceConstant;
import net.sf.saxon.lib.StringCollator;
import net.sf.saxon.om.FocusTrackingIterator;
import net.sf.saxon.om.NamespaceUri;
import net.sf.saxon.om.SequenceIterator;
import net.sf.saxon.om.StructuredQName;
import net.sf.saxon.regex.RegularExpression;
import net.sf.saxon.str.UnicodeString;
import net.sf.saxon.trans.XPathException;
import org.jspecify.annotations.Nullable;
import org.xml.sax.XMLReader;

/// Saxon without a way out: every parser is the gateway's, functions that read do not exist, whatever would be fetched
/// all the same is refused, and nothing is written to the process's own streams.
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // each parser is new, so that nothing is shared
final class ClosedConfiguration extends Configuration {
    private static final List<String> READING = List.of(
            "doc",
            "doc-available",
            "document",
            "collection",
            "uri-collection",
            "unparsed-text",
            "unparsed-text-available",
            "unparsed-text-lines",
            "json-doc",
            "transform",
            "load-xquery-module",
            "environment-variable",
            "available-environment-variables");
    private static final StringCollator CODEPOINTS = new LinearCodepoints();
    private static final int BACKTRACKING = 10_000_000; // steps of one match, after which it fails

    ClosedConfiguration() {
        setResourceResolver(_ -> {
            throw nothing();
        });
        setUnparsedTextURIResolver((_, _, _, _) -> {
            throw nothing();
        });
        setCollectionFinder((_, _) -> {
            throw nothing();
        });
        setCollationURIResolver(new KnownCollations());
        setConfigurationProperty(Feature.ALLOWED_PROTOCOLS, "");
        setConfigurationProperty(Feature.ALLOW_EXTERNAL_FUNCTIONS, false);
        setConfigurationProperty(Feature.ALLOW_SYNTAX_EXTENSIONS, false);
        setConfigurationProperty(Feature.DISABLE_XSL_EVALUATE, true);
        setConfigurationProperty(Feature.ENVIRONMENT_VARIABLE_RESOLVER, new NoVariables());
        setConfigurationProperty(Feature.REGEX_BACKTRACKING_LIMIT, BACKTRACKING);
        for (String each : READING) disableFunction(new StructuredQName("", NamespaceUri.FN, each));
        registerExtensionFunction(new HasTime());
        setErrorReporterFactory(_ -> _ -> {});
        setLogger(new Silence());
    }

    private static XPathException nothing() {
        return new XPathException("nothing but the message is read", "FODC0002");
    }

    /// With a look at the clock, where there is one: for stylesheets as they run, and for what they have run while
    /// they are compiled.
    @Override
    public Function<SequenceIterator, FocusTrackingIterator> getFocusTrackerFactory(
            Executable executable, boolean multithreaded) {
        if (!TransformBudget.CURRENT.isBound()) return super.getFocusTrackerFactory(executable, multithreaded);
        TransformBudget budget = TransformBudget.CURRENT.get();
        return items -> new WatchedFocus(items, budget);
    }

    @Override
    public Optimizer obtainOptimizer() {
        return obtainOptimizer(optimizerOptions);
    }

    @Override
    public Optimizer obtainOptimizer(OptimizerOptions options) {
        return new WatchedLoops(this, options);
    }

    @Override
    public @Nullable StringCollator getCollation(@Nullable String name) throws XPathException {
        boolean codepoints = name == null || name.equals(NamespaceConstant.CODEPOINT_COLLATION_URI);
        return codepoints ? CODEPOINTS : super.getCollation(name);
    }

    @Override
    public RegularExpression compileRegularExpression(
            UnicodeString expression, String flags, String language, List<String> warnings) throws XPathException {
        return new WatchedExpression(super.compileRegularExpression(expression, flags, language, warnings));
    }

    /// For XML within a message.
    @Override
    public XMLReader getSourceParser() {
        if (!MessageNamespaces.CURRENT.isBound()) return Xml.reader();
        return new MessageGate(Xml.reader(), MessageNamespaces.CURRENT.get(), TransformBudget.CURRENT.get());
    }

    @Override
    public XMLReader getStyleParser() {
        return Xml.reader();
    }

    /// Each is for one document.
    @Override
    public void reuseSourceParser(XMLReader parser) {}

    @Override
    public void reuseStyleParser(XMLReader parser) {}
}
