package gateway.policies.cache;

import gateway.http.Headers;
import java.util.ArrayList;
import java.util.List;

/// The fields of a request as they came to the cache, whatever later policies make of them.
///
/// @param lines names and values by turns
record SeenFields(List<String> lines) {
    static SeenFields of(Headers request) {
        var lines = new ArrayList<String>(32);
        request.forEach((name, value) -> {
            lines.add(name);
            lines.add(value);
        });
        return new SeenFields(lines);
    }

    /// The values of `name`, one for each line.
    List<String> all(String name) {
        var values = new ArrayList<String>(2);
        for (int i = 0; i < lines.size(); i += 2) {
            if (lines.get(i).equalsIgnoreCase(name)) values.add(lines.get(i + 1));
        }
        return values;
    }
}
