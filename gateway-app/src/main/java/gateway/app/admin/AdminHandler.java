package gateway.app.admin;

import gateway.http.Response;

/// Answers requests on the admin plane. May block; never throws.
public interface AdminHandler {
    /// Most bytes of a request body; what is larger is answered 413 by the listener.
    int MAX_BODY_BYTES = 4 * 1024 * 1024;

    /// Whether a request has a right to have its body read, told from its head alone. One that has none is answered by
    /// [#handle] with an empty body, and its connection ends.
    boolean admits(AdminRequest head);

    Response handle(AdminRequest request);
}
