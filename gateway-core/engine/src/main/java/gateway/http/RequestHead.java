package gateway.http;

/// The head of a request as it came, its fields apart.
///
/// @param method the token as sent, such as `GET`
/// @param scheme `http` or `https`, as the client sees it
/// @param host that the client asked for, lower case, without port
/// @param path canonical, what every decision is made on: percent-decoded once, no empty, `.` or `..` segment, begins
///     with `/`. See [CanonicalPath]
/// @param rawPath as sent, byte for byte (still percent-encoded), without the query; has the same segments as `path`
/// @param query as sent, without `?`; empty text when there is none
public record RequestHead(String method, String scheme, String host, String path, String rawPath, String query) {}
