package gateway.policies.standard;

import gateway.http.Consumer;
import gateway.json.ConfigNode;
import java.util.List;
import java.util.Map;

/// A caller of whom nothing is known but that the definition lets such callers in.
record Guest(String name, List<String> tags) implements Consumer {
    Guest {
        tags = List.copyOf(tags);
    }

    static Guest read(ConfigNode node) {
        node.requireObject();
        ConfigNode name = node.field("name", "of that caller, whose id is `anonymous:` and this");
        var guest = new Guest(
                name.text("guest"),
                node.field("tags", "for `when`, `authorize` and the traffic log")
                        .list(ConfigNode::requiredText));
        name.extent(1, 128);
        if (guest.name.isEmpty() || guest.name.length() > 128)
            name.problem("expected 1 to 128 characters, got " + guest.name.length());
        node.refuseUnknownFields();
        return guest;
    }

    @Override
    public String id() {
        return "anonymous:" + name;
    }

    @Override
    public Map<String, String> metadata() {
        return Map.of();
    }
}
