package gateway.policies.message.xml;

import gateway.json.ConfigProblem;

/// What does not hold in a document.
///
/// @param path names of the elements that lead there
record XmlFinding(String path, int line, int column, String what) {
    ConfigProblem told() {
        return new ConfigProblem(path, "line " + line + ", column " + column + ": " + what);
    }
}
