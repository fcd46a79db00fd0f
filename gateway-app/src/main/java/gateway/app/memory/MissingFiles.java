package gateway.app.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Files that a data folder has lost. Each journal begins with a line of its own from the first start on, so one that
/// is
/// missing or empty beside others that hold something was not left so by a gateway, except by one of version 0.1 that
/// had nothing to keep in it.
final class MissingFiles {
    private static final Logger LOG = LoggerFactory.getLogger(MissingFiles.class);
    private static final List<String> JOURNALS = List.of("revisions.journal", "keys.journal", "quotas.journal");
    private static final List<String> WITH_JOURNALS = List.of("pepper", "apis"); // made at the first start too

    private MissingFiles() {}

    /// Tells what is missing or empty, before a start makes it anew.
    static void tell(Path folder) throws IOException {
        var held = new ArrayList<String>();
        for (String name : JOURNALS) if (holdsSomething(folder.resolve(name))) held.add(name);
        if (held.isEmpty()) return;
        String others = String.join(" and ", held);
        for (String name : JOURNALS) if (!held.contains(name)) tell(folder.resolve(name), others);
        for (String name : WITH_JOURNALS) if (!Files.exists(folder.resolve(name))) tell(folder.resolve(name), others);
    }

    private static void tell(Path file, String others) {
        LOG.warn(
                "{} is {}, though there is something in {}: whatever it held is gone; to have that back, stop this gateway"
                        + " and restore it from a backup",
                file,
                Files.exists(file) ? "empty" : "missing",
                others);
    }

    private static boolean holdsSomething(Path file) throws IOException {
        return Files.exists(file) && Files.size(file) > 0;
    }
}
