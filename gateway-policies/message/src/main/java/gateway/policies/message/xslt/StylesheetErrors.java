package gateway.policies.message.xslt;

import gateway.json.ConfigProblem;
import gateway.json.TextCut;
import java.util.ArrayList;
import java.util.List;
import net.sf.saxon.lib.ErrorReporter;
import net.sf.saxon.s9api.XmlProcessingError;
import org.jspecify.annotations.Nullable;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/// What is wrong with a stylesheet, each under the pointer of its document.
final class StylesheetErrors implements ErrorReporter {
    private static final int MOST = 20;
    private static final int LONGEST = 300;
    private static final int DEEPEST_CAUSE = 10;

    private final StylesheetDocuments documents;
    private final List<ConfigProblem> problems = new ArrayList<>();

    StylesheetErrors(StylesheetDocuments documents) {
        this.documents = documents;
    }

    @Override
    public void report(XmlProcessingError error) {
        if (error.isWarning() || problems.size() == MOST) return;
        var place = error.getLocation();
        int line = place == null ? -1 : place.getLineNumber();
        StylesheetDocument document = documents.at(place == null ? error.getModuleUri() : place.getSystemId());
        String code =
                error.getErrorCode() == null ? "" : " (" + error.getErrorCode().getLocalName() + ')';
        add(document, line, words(error) + code);
    }

    /// What the reader of the stylesheet says itself, without what Saxon puts around it.
    private static String words(XmlProcessingError error) {
        SAXException reader = reader(error.getCause());
        return String.valueOf(reader == null ? error.getMessage() : reader.getMessage());
    }

    private static @Nullable SAXException reader(@Nullable Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; i < DEEPEST_CAUSE && cause != null; i++) {
            if (cause instanceof SAXException reader) return reader;
            cause = cause.getCause();
        }
        return null;
    }

    private void add(StylesheetDocument document, int line, String what) {
        String at = line < 1 ? "" : " line " + line;
        String told = TextCut.told(what, LONGEST);
        problems.add(new ConfigProblem(document.pointer(), '"' + document.id() + '"' + at + ": " + told));
    }

    /// One at least, once the compiler has failed.
    ///
    /// @param failure what it threw
    List<ConfigProblem> problems(Exception failure) {
        SAXException reader = reader(failure);
        if (problems.isEmpty() && reader instanceof SAXParseException parse)
            add(documents.at(parse.getSystemId()), parse.getLineNumber(), String.valueOf(parse.getMessage()));
        return problems(String.valueOf(reader == null ? failure.getMessage() : reader.getMessage()));
    }

    /// @param why where nothing else has been said
    List<ConfigProblem> problems(String why) {
        if (problems.isEmpty()) add(documents.documents().getFirst(), -1, why);
        return List.copyOf(problems);
    }
}
