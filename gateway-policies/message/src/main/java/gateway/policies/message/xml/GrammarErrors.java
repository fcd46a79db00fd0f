package gateway.policies.message.xml;

import gateway.json.ConfigProblem;
import gateway.json.TextCut;
import java.util.ArrayList;
import java.util.List;
import org.xml.sax.ErrorHandler;
import org.xml.sax.SAXParseException;

/// What the compiler of grammars finds wrong, each under the pointer of its document.
final class GrammarErrors implements ErrorHandler {
    private static final int MOST = 20;
    private static final int LONGEST = 300;

    private final GrammarDocuments documents;
    private final List<ConfigProblem> problems = new ArrayList<>();

    GrammarErrors(GrammarDocuments documents) {
        this.documents = documents;
    }

    List<ConfigProblem> problems() {
        return problems;
    }

    @Override
    public void warning(SAXParseException e) {}

    @Override
    public void error(SAXParseException e) {
        if (problems.size() == MOST) return;
        String said = documents.told(String.valueOf(e.getMessage()));
        String what = TextCut.told(said, LONGEST);
        var document = documents.at(e.getSystemId());
        String where = document.map(each -> "\"" + each.id() + "\" ").orElse("");
        problems.add(new ConfigProblem(
                document.map(GrammarDocument::pointer).orElse(""),
                where + "line " + e.getLineNumber() + ", column " + e.getColumnNumber() + ": " + what));
    }

    @Override
    public void fatalError(SAXParseException e) {
        error(e);
    }
}
