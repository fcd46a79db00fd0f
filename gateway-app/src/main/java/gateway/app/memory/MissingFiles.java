package gateway.app.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Files that a data folder has lost. Each journal begins with a line of its own from the first start on, so one that
/// is missing or empty beside others that hold something was not left so by a gateway, except by one of version 0.1
/// that had nothing to keep in it. The definitions alone say nothing: people put them there before the first start.
final class MissingFiles {
    private static final Logger LOG = LoggerFactory.getLogger(MissingFiles.class);
    private static final List<String> JOURNALS = List.of("revisions.journal", "keys.journal", "quotas.journal");
    private static final String PEPPER = "pepper";
    private static final String AUDIT = "audit.ndjson";
    private static final List<String> MADE_AT_FIRST = List.of(PEPPER, "apis");
    private static final long BEGIN = JournalLine.encode(new KeyEvent.Reached(0).line()).length;

    private MissingFiles() {}

    /// Tells what is missing or empty, before a start makes it anew.
    static void tell(Path folder) throws IOException {
        var held = new ArrayList<String>();
        for (String name : JOURNALS) if (size(folder.resolve(name)) > 0) held.add(name);
        for (String name : List.of(PEPPER, AUDIT)) if (size(folder.resolve(name)) > 0) held.add(name);
        if (held.isEmpty()) return;
        String others = String.join(" and ", held);
        for (String name : JOURNALS) if (!held.contains(name)) tell(folder.resolve(name), others);
        for (String name : MADE_AT_FIRST) if (!Files.exists(folder.resolve(name))) tell(folder.resolve(name), others);
        if (lostAudit(folder)) tell(folder.resolve(AUDIT), others);
    }

    /// The first administrative write makes the audit log. So one of no bytes had an entry, and there was one where
    /// there are keys, which nobody else makes, or older files of it.
    private static boolean lostAudit(Path folder) throws IOException {
        if (size(folder.resolve(AUDIT)) > 0) return false;
        return Files.exists(folder.resolve(AUDIT))
                || Files.exists(folder.resolve("audit.1.ndjson"))
                || size(folder.resolve("keys.journal")) > BEGIN;
    }

    private static void tell(Path file, String others) {
        LOG.warn(
                "{} is {}, though there is something in {}: whatever it held is gone; to have that back, stop this gateway"
                        + " and restore it from a backup",
                file,
                Files.exists(file) ? "empty" : "missing",
                others);
    }

    private static long size(Path file) throws IOException {
        return Files.exists(file) ? Files.size(file) : 0;
    }
}
