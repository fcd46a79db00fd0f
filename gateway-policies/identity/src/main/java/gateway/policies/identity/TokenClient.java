package gateway.policies.identity;

import gateway.config.SecretReader;
import gateway.http.Secret;
import gateway.json.ConfigNode;
import gateway.service.CallRequest;
import gateway.service.SecretReference;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/// Who the gateway is to a server that gives or judges tokens.
record TokenClient(String id, SecretReference secret, Method method) {
    /// How it proves that (RFC 6749 §2.3.1).
    enum Method {
        BASIC,
        POST
    }

    static TokenClient read(ConfigNode node) {
        node.requireObject();
        ConfigNode id = node.field("id", "its name there");
        String name = id.requiredText();
        if (name.length() > 256) id.problem("expected 1 to 256 characters");
        SecretReference secret = SecretReader.read(node.field("secret", "its secret there"));
        Method method =
                node.field("method", "in `Authorization` or in the form").choice(Method.BASIC);
        node.refuseUnknownFields();
        return new TokenClient(name, secret, method);
    }

    /// Adds its name, and its secret where that stands in the form.
    void fill(Map<String, String> form, Secret opened) {
        if (method == Method.BASIC) return;
        form.put("client_id", id);
        form.put("client_secret", opened.reveal());
    }

    /// Shows its secret where that stands in a header.
    CallRequest sign(CallRequest request, Secret opened) {
        if (method == Method.POST) return request;
        byte[] both = (encoded(id) + ':' + encoded(opened.reveal())).getBytes(StandardCharsets.US_ASCII);
        return request.with("Authorization", "Basic " + Base64.getEncoder().encodeToString(both));
    }

    /// `application/x-www-form-urlencoded`.
    static String encoded(Map<String, String> form) {
        var text = new StringBuilder();
        form.forEach((name, value) -> {
            if (!text.isEmpty()) text.append('&');
            text.append(encoded(name)).append('=').append(encoded(value));
        });
        return text.toString();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
