package gateway.app.traffic;

import gateway.service.TrafficRecord;
import java.util.List;
import java.util.Map;

/// About how many bytes a record holds in the heap, from the lengths of the texts that are its own. Captured bodies do
/// not count, they have a bound of their own.
final class RecordSize {
    private static final int FIXED = 512; // its objects, and texts that clients do not choose the length of
    private static final int TEXT = 64; // a string, its array and its place in a list

    private RecordSize() {}

    static int of(TrafficRecord record) {
        TrafficRecord.Request request = record.request();
        TrafficRecord.Detail detail = record.detail();
        return FIXED
                + request.id().length()
                + request.method().length()
                + request.host().length()
                + request.path().length()
                + request.userAgent().length()
                + detail.query().length()
                + of(record.api().labels())
                + of(detail.requestHeaders())
                + of(detail.responseHeaders());
    }

    private static int of(Map<String, String> labels) {
        int size = 0;
        for (Map.Entry<String, String> each : labels.entrySet())
            size += 2 * TEXT + each.getKey().length() + each.getValue().length();
        return size;
    }

    private static int of(List<String> texts) {
        int size = 0;
        for (int i = 0; i < texts.size(); i++) size += TEXT + texts.get(i).length();
        return size;
    }
}
