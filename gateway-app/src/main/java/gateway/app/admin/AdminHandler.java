package gateway.app.admin;

import gateway.http.Response;

/// Answers requests on the admin plane. May block; never throws.
public interface AdminHandler {
    /// Most bytes of a request body, but for [#mostBytes].
    int MAX_BODY_BYTES = 4 * 1024 * 1024;

    /// Most bytes of a body of many documents, of which one is held at a time.
    int MAX_CHANGES_BYTES = 4 * MAX_BODY_BYTES;

    /// Most bytes of this request's body, [#MAX_BODY_BYTES] or [#MAX_CHANGES_BYTES], told from its head alone; what is
    /// larger is answered 413 by the listener.
    default int mostBytes(AdminRequest head) {
        return MAX_BODY_BYTES;
    }

    /// Whether a request has a right to have its body read, told from its head alone. One that has none is answered by
    /// [#handle] with an empty body, and its connection ends.
    boolean admits(AdminRequest head);

    Response handle(AdminRequest request);
}
