package gateway.policies.message.wss;

import gateway.http.Consumer;
import java.util.List;
import java.util.Map;

/// Who has written a message, as policies further on see them.
record SoapCaller(String id, String name, List<String> tags) implements Consumer {
    SoapCaller {
        tags = List.copyOf(tags);
    }

    @Override
    public Map<String, String> metadata() {
        return Map.of();
    }
}
