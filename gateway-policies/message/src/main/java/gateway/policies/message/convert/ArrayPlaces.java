package gateway.policies.message.convert;

import gateway.json.ConfigNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Elements that are arrays in JSON even when there is one of them, found by the names on the way to them.
final class ArrayPlaces {
    private static final int MOST = 100;
    private static final int LONGEST = 1_000;
    private static final Pattern FORM = Pattern.compile("/[\\s\\S]*[^/]");

    private final Map<String, ArrayPlaces> below = new HashMap<>();
    private boolean isArray;

    /// Of pointers such as `/order/line`.
    static ArrayPlaces read(ConfigNode node) {
        var top = new ArrayPlaces();
        List<String> pointers = node.list(each -> pointer(each, top));
        node.extent(0, MOST);
        if (pointers.size() > MOST) node.problem("expected at most " + MOST + " elements, got " + pointers.size());
        return top;
    }

    private static String pointer(ConfigNode node, ArrayPlaces top) {
        String pointer = node.form("pointer").like(FORM).extent(1, LONGEST).requiredText();
        boolean sound = pointer.startsWith("/") && pointer.length() <= LONGEST && !pointer.endsWith("/");
        if (!pointer.isEmpty() && !sound) {
            node.problem("expected names from the top on, such as /order/line, got \"" + pointer + '"');
            return pointer;
        }
        ArrayPlaces place = top;
        for (String each : pointer.substring(Math.min(1, pointer.length())).split("/", -1)) {
            String name = each.replace("~1", "/").replace("~0", "~");
            place = place.below.computeIfAbsent(name, _ -> new ArrayPlaces());
        }
        place.isArray = true;
        return pointer;
    }

    /// Null where there is nothing further on.
    @Nullable
    ArrayPlaces below(String name) {
        return below.get(name);
    }

    boolean isArray() {
        return isArray;
    }
}
