package gateway.policies.standard;

import gateway.http.Consumer;
import java.util.List;
import java.util.Map;

/// Who has signed a webhook.
///
/// @param api that it was sent to
record WebhookSender(String api, String name, List<String> tags) implements Consumer {
    WebhookSender {
        tags = List.copyOf(tags);
    }

    @Override
    public String id() {
        return "webhook:" + api + '/' + name;
    }

    @Override
    public Map<String, String> metadata() {
        return Map.of();
    }
}
