package gateway.app.admin;

import gateway.http.Response;

/// Answers requests on the admin plane. May block; never throws.
@FunctionalInterface
public interface AdminHandler {
    /// Most bytes of a request body; what is larger is answered 413 by the listener.
    int MAX_BODY_BYTES = 4 * 1024 * 1024;

    Response handle(AdminRequest request);
}
