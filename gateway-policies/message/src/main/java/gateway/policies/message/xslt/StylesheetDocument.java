package gateway.policies.message.xslt;

/// One document of a stylesheet.
///
/// @param pointer where the definition names it
/// @param id of the resource
@SuppressWarnings("ArrayRecordComponent") // handed on within the package, and compared by nobody
record StylesheetDocument(String pointer, String id, String sha256, byte[] content) {}
