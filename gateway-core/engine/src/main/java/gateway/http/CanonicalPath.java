package gateway.http;

/// The one form of a request path that routes, rules and grants are compared with: percent-decoded once as UTF-8,
/// begins with `/`, no empty, `.` or `..` segment; one trailing `/` stays.
///
/// A path whose canonical form would have other segments than the one sent is refused rather than mended, as is
/// every octet that another parser could read as a separator or an end. So the raw path, which is what the upstream
/// gets, has the segments that the decision was made on. The rules follow RFC 3986 §3.3 and §6.2;
/// docs/decisions/0020 gives reasons.
public sealed interface CanonicalPath {
    /// @param path the decoded path; `%2F` and `%5C` stay as this text in it, never a separator
    /// @param encodedSeparators whether the raw path holds an encoded `/` or `\`: 400 unless the matched API allows
    /// them
    record Canonical(String path, boolean encodedSeparators) implements CanonicalPath {}

    /// @param why what is wrong, in words for the client; holds no part of the path
    record Refused(String why) implements CanonicalPath {}

    /// Whether `raw` surely is its own canonical form and holds no parameters (`;`): one scan, no allocation, true for
    /// nearly every path. When false, [#of] decides.
    static boolean isPlain(String raw) {
        return PathOctets.isPlain(raw);
    }

    /// The canonical form of `raw`, the path as sent, without query; answers the same text when it already has that
    /// form.
    static CanonicalPath of(String raw) {
        if (PathOctets.isPlain(raw)) return new Canonical(raw, false);
        return new PathDecoder(raw).decode();
    }
}
