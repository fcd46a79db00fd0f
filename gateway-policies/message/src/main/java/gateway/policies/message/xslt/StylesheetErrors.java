package gateway.policies.message.xslt;

import gateway.json.ConfigProblem;
import java.util.ArrayList;
import java.util.List;
import net.sf.saxon.lib.ErrorReporter;
import net.sf.saxon.s9api.XmlProcessingError;

/// What is wrong with a stylesheet, each under the pointer of its document.
final class StylesheetErrors implements ErrorReporter {
    private static final int MOST = 20;
    private static final int LONGEST = 300;

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
        String code = error.getErrorCode() == null ? "" : " (" + error.getErrorCode().getLocalName() + ')';
        add(document, line, String.valueOf(error.getMessage()) + code);
    }

    private void add(StylesheetDocument document, int line, String what) {
        String at = line < 1 ? "" : " line " + line;
        String told = what.length() > LONGEST ? what.substring(0, LONGEST) + "…" : what;
        problems.add(new ConfigProblem(document.pointer(), '"' + document.id() + '"' + at + ": " + told));
    }

    /// One at least, once the compiler has failed.
    ///
    /// @param why what it said last
    List<ConfigProblem> problems(String why) {
        if (problems.isEmpty()) add(documents.documents().getFirst(), -1, why);
        return List.copyOf(problems);
    }
}
