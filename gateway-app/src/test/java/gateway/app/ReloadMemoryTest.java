package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A thousand reloads of a program of its own, each with something new in it.
final class ReloadMemoryTest {
    private static final int APIS = 20;
    private static final String POLICIES = """
        [{"type": "key-auth"}, {"type": "rate-limit", "requests": 100, "per": "1s"},
         {"type": "headers", "response": {"set": {"X-Name": "%s"}}}]""";
    private static final Pattern LIVE = Pattern.compile("Total +\\d+ +(\\d+)");

    @TempDir
    private Path data;

    @Test
    void a_thousand_reloads_leave_heap_classes_and_threads_where_they_were() throws Exception {
        try (var service = SampleService.start();
                var gateway = GatewayProcess.start(data, Map.of());
                var admin = AdminClient.of(gateway.admin("/"), gateway.token())) {
            for (int i = 0; i < APIS; i++) {
                admin.call("POST", "/apis", service.definition("api" + i, "first", POLICIES.formatted("first")));
            }
            reload(admin, service, 300, "before"); // caches fill, code is compiled, late classes are loaded
            Use before = Use.of(gateway.pid());

            reload(admin, service, 1000, "then");

            Use after = Use.of(gateway.pid());
            assertThat(after.heapBytes()).as("heap").isLessThan(before.heapBytes() + (512 << 10));
            assertThat(after.classes()).as("classes").isLessThan(before.classes() + 50);
            assertThat(after.threads()).as("threads").isLessThanOrEqualTo(before.threads() + 2);
        }
    }

    /// Edits a file as an operator would, and has it read.
    private void reload(AdminClient admin, SampleService service, int times, String word) throws Exception {
        for (int i = 0; i < times; i++) {
            String id = "api" + i % APIS;
            String name = word + i;
            Files.writeString(
                    data.resolve("apis/" + id + ".json"), service.definition(id, name, POLICIES.formatted(name)));
            assertThat(admin.call("POST", "/reload", "").get("problems")).isEmpty();
        }
    }

    /// What a JVM holds right after a full collection.
    private record Use(long heapBytes, long classes, long threads) {
        static Use of(long pid) throws IOException, InterruptedException {
            Matcher live = LIVE.matcher(jcmd(pid, "GC.class_histogram"));
            assertThat(live.find()).isTrue();
            String counters = jcmd(pid, "PerfCounter.print");
            long loaded = counter(counters, "java.cls.loadedClasses") - counter(counters, "java.cls.unloadedClasses");
            return new Use(Long.parseLong(live.group(1)), loaded, counter(counters, "java.threads.live"));
        }

        private static long counter(String counters, String name) {
            Matcher line = Pattern.compile(Pattern.quote(name) + "=(\\d+)").matcher(counters);
            assertThat(line.find()).as(name).isTrue();
            return Long.parseLong(line.group(1));
        }

        private static String jcmd(long pid, String command) throws IOException, InterruptedException {
            var process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                    .toString(),
                            Long.toString(pid),
                            command)
                    .start();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).isZero();
            return text;
        }
    }
}
