package gateway.policies.message.form;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Takes a `multipart/form-data` (RFC 7578) apart, strictly: nothing stands before the first part or behind the last
/// one, lines end in CRLF, and a name is said once.
public final class MultipartForm {
    /// Most parts of one.
    public static final int MOST = 100;

    private static final int LONGEST_HEAD = 4 << 10;
    private static final Pattern BOUNDARY = Pattern.compile("[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]");
    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9a-z-]+"); // of a field, RFC 9110 §5.6.2
    private static final Pattern TYPE_FORM = Pattern.compile("[!#$%&'*+.^_`|~0-9a-z-]+/[!#$%&'*+.^_`|~0-9a-z-]+");
    private static final Set<String> PLAIN_ENCODINGS = Set.of("7bit", "8bit", "binary");
    private static final String DISPOSITION = "content-disposition";
    private static final String TYPE = "content-type";

    private final byte[] content;
    private final byte[] delimiter; // with the line end before it
    private final List<FormPart> parts = new ArrayList<>();

    private MultipartForm(byte[] content, String boundary) {
        this.content = content;
        this.delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.US_ASCII);
    }

    /// The parts, up to one more than [#MOST]; empty when it is none.
    public static Optional<List<FormPart>> parts(byte[] content, String contentType) {
        return FieldParameters.of(contentType)
                .filter(type -> type.parameters().keySet().stream().noneMatch(each -> each.startsWith("boundary*")))
                .map(type -> type.parameters().getOrDefault("boundary", ""))
                .filter(boundary -> BOUNDARY.matcher(boundary).matches())
                .flatMap(boundary -> new MultipartForm(content, boundary).read());
    }

    private Optional<List<FormPart>> read() {
        if (!holds(delimiter, 2, 0) || isSeenElsewhere()) return Optional.empty();
        int at = delimiter.length - 2;
        while (!isEnd(at)) {
            if (!holds(new byte[] {'\r', '\n'}, 0, at)) return Optional.empty();
            int head = at + 2;
            int end = find(new byte[] {'\r', '\n', '\r', '\n'}, head);
            if (end < 0 || end - head > LONGEST_HEAD) return Optional.empty();
            int next = find(delimiter, end + 4);
            if (next < 0 || !add(head, end, end + 4, next)) return Optional.empty();
            if (parts.size() > MOST) return Optional.of(parts);
            at = next + delimiter.length;
        }
        return Optional.of(parts);
    }

    /// Whether a delimiter stands where other readers see one: behind half of a line end.
    private boolean isSeenElsewhere() {
        for (int at = 1; at <= content.length - delimiter.length + 2; at++) {
            byte before = content[at - 1];
            boolean isLoose = before == '\r' || (before == '\n' && (at < 2 || content[at - 2] != '\r'));
            if (isLoose && holds(delimiter, 2, at)) return true;
        }
        return false;
    }

    private boolean isEnd(int at) {
        if (!holds(new byte[] {'-', '-'}, 0, at)) return false;
        int rest = content.length - at - 2;
        return rest == 0 || (rest == 2 && content[at + 2] == '\r' && content[at + 3] == '\n');
    }

    private boolean add(int head, int end, int from, int to) {
        Map<String, String> fields = new HashMap<>();
        String lines = new String(content, head, end - head, StandardCharsets.UTF_8);
        for (String line : lines.split("\r\n", -1)) {
            int colon = line.indexOf(':');
            if (colon < 1 || line.indexOf('\n') >= 0 || line.indexOf('\r') >= 0 || line.charAt(0) <= ' ') return false;
            String name = line.substring(0, colon).toLowerCase(Locale.ROOT);
            if (!NAME.matcher(name).matches()
                    || fields.put(name, line.substring(colon + 1).strip()) != null) return false;
        }
        String encoding = fields.getOrDefault("content-transfer-encoding", "binary");
        if (!PLAIN_ENCODINGS.contains(encoding.toLowerCase(Locale.ROOT))) return false;
        Optional<FieldParameters> disposition = FieldParameters.of(fields.getOrDefault(DISPOSITION, ""));
        Optional<FieldParameters> type = FieldParameters.of(fields.getOrDefault(TYPE, ""));
        if (disposition.isEmpty()
                || type.isEmpty()
                || (fields.containsKey(TYPE)
                        && !TYPE_FORM.matcher(type.get().value()).matches())
                || !disposition.get().value().equals("form-data")) return false;
        Map<String, String> said = disposition.get().parameters();
        if (!said.containsKey("name") || said.keySet().stream().anyMatch(each -> each.startsWith("name*")))
            return false;
        return parts.add(new FormPart(said.get("name"), type.get(), content, from, to));
    }

    private int find(byte[] mark, int from) {
        for (int i = from; i <= content.length - mark.length; i++) if (holds(mark, 0, i)) return i;
        return -1;
    }

    private boolean holds(byte[] mark, int begin, int at) {
        if (at + mark.length - begin > content.length) return false;
        for (int i = begin; i < mark.length; i++) if (content[at + i - begin] != mark[i]) return false;
        return true;
    }
}
