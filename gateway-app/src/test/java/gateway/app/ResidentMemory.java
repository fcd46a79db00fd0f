package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Memory that a process has, as the kernel counts it.
public final class ResidentMemory {
    private static final Pattern KIB = Pattern.compile("VmRSS:\\s+(\\d+) kB");

    private ResidentMemory() {}

    /// Bytes.
    public static long of(long pid) throws IOException {
        Matcher found = KIB.matcher(Files.readString(Path.of("/proc/" + pid + "/status")));
        assertThat(found.find()).isTrue();
        return Long.parseLong(found.group(1)) * 1024;
    }
}
