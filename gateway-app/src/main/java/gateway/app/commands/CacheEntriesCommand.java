package gateway.app.commands;

import gateway.service.CachePurge;
import gateway.service.CachePurgeJson;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/// `gateway cache-entries …`: the answers that a gateway keeps, by the admin API of the one with these settings.
@Command(
        name = "cache-entries",
        description = "Look at kept answers and purge them.",
        subcommands = {CacheEntriesCommand.ListCommand.class, CacheEntriesCommand.PurgeCommand.class},
        synopsisSubcommandLabel = "COMMAND")
final class CacheEntriesCommand extends CommandGroup {
    /// `gateway cache-entries list`.
    @Command(name = "list", description = "List the answers that this gateway keeps, the largest first.")
    static final class ListCommand implements Callable<Integer> {
        @ParentCommand
        private CacheEntriesCommand entries = new CacheEntriesCommand();

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Option(names = "--api", paramLabel = "ID", description = "only those of this API")
        private String api = "";

        @Option(names = "--hottest", description = "those first that were given most often")
        private boolean hottest;

        @Option(names = "--limit", paramLabel = "N", description = "at most so many, 1 to 1000; 100 unless given")
        private int limit = 100;

        @Override
        public Integer call() throws InterruptedException {
            PrintWriter out = spec.commandLine().getOut();
            String query = "?limit=" + limit + "&order=" + (hottest ? "hits" : "bytes")
                    + (api.isEmpty() ? "" : "&api=" + URLEncoder.encode(api, StandardCharsets.UTF_8));
            out.println("bytes hits fresh status api path tags");
            for (JsonNode each : entries.admin().get("/cache/entries" + query).path("items")) out.println(line(each));
            return 0;
        }

        private static String line(JsonNode entry) {
            var tags = new StringBuilder();
            for (JsonNode tag : entry.path("tags")) tags.append(' ').append(tag.asString());
            return entry.path("bytes").asLong() + " " + entry.path("hits").asLong() + " "
                    + entry.path("freshSeconds").asLong() + "s "
                    + entry.path("status").asInt() + " "
                    + entry.path("api").asString() + " " + entry.path("host").asString()
                    + entry.path("path").asString() + tags;
        }
    }

    /// `gateway cache-entries purge`.
    @Command(name = "purge", description = "Have answers forgotten on all nodes; conditions hold together.")
    static final class PurgeCommand implements Callable<Integer> {
        @ParentCommand
        private CacheEntriesCommand entries = new CacheEntriesCommand();

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @ArgGroup(exclusive = false, multiplicity = "1")
        private Conditions conditions = new Conditions();

        @Option(names = "--soft", description = "only stale from now on, rather than gone")
        private boolean soft;

        /// Which answers; one at least is given.
        static final class Conditions {
            @Option(names = "--api", paramLabel = "ID", description = "of this API")
            private String api = "";

            @Option(names = "--path", paramLabel = "PATH", description = "of this path, with any query")
            private String path = "";

            @Option(names = "--prefix", paramLabel = "PREFIX", description = "of paths that begin so; / is everything")
            private String prefix = "";

            @Option(names = "--tag", paramLabel = "TAG", description = "with this tag")
            private String tag = "";
        }

        @Override
        public Integer call() throws InterruptedException {
            var purge = new CachePurge(conditions.api, conditions.path, conditions.prefix, conditions.tag, soft);
            JsonNode done = entries.admin().post("/cache/purge", CachePurgeJson.write(purge));
            spec.commandLine()
                    .getOut()
                    .println(done.path("purged").asInt() + " answers of this node purged, and those of the others");
            return 0;
        }
    }
}
