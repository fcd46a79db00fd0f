package gateway.policies.message.convert;

/// How an element is written as JSON.
enum JsonStyle {
    /// `{"order": {"@id": "7", "line": "a"}}`, text beside attributes as `#text`.
    ATTRIBUTES_PREFIXED("#text", true),
    /// `{"order": {"@id": "7", "line": {"$": "a"}}}`, with namespaces in `@xmlns`.
    BADGERFISH("$", true),
    /// `{"line": "a"}`: neither attributes nor namespaces nor the name of the top element.
    PARKER("", false);

    static final String ATTRIBUTE = "@";
    static final String NAMESPACE = "@xmlns";

    private final String text;
    private final boolean attributes;

    JsonStyle(String text, boolean attributes) {
        this.text = text;
        this.attributes = attributes;
    }

    /// The member that text is beside others; empty: it cannot be.
    String text() {
        return text;
    }

    boolean hasAttributes() {
        return attributes;
    }
}
