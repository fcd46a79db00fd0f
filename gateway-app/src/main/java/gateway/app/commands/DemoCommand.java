package gateway.app.commands;

import gateway.app.stop.Shutdown;
import java.io.Console;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `gateway demo`: a gateway, a service behind it and a caller, to look at and to try.
@Command(
        name = "demo",
        description = "Start a gateway with a sample service, one API and keys; send requests and show the answers.")
public final class DemoCommand implements Callable<Integer>, WithoutSettings {
    private static final int REQUESTS = 300;

    @Option(names = "--once", description = "end by itself; exit 0 only if every answer was the expected one")
    private boolean once;

    @Option(
            names = "--elasticsearch",
            paramLabel = "URL",
            description = "send the traffic log to this Elasticsearch and fill the dashboards, such as "
                    + "http://localhost:9200 or http://user:password@localhost:9200")
    private Optional<URI> elasticsearch = Optional.empty();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public String insteadOfSettings() {
        return "it shows a gateway with settings of its own";
    }

    @Override
    public Integer call() throws IOException {
        if (once) {
            try (var stage = DemoStage.open(elasticsearch)) {
                return play(stage) ? 0 : 1;
            }
        }
        var shutdown = Shutdown.armed();
        try {
            var stage = DemoStage.open(elasticsearch);
            shutdown.first(waits -> stage.close());
            play(stage);
        } catch (IOException | RuntimeException e) {
            shutdown.disarm();
            throw e;
        }
        shutdown.await();
        return 0;
    }

    private boolean play(DemoStage stage) {
        var screen = new Screen(spec.commandLine().getOut(), isTerminal());
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            boolean asExpected = stage.demo(screen, client).play();
            if (elasticsearch.isPresent()) asExpected &= fill(stage, screen, client);
            if (!once) screen.say("\nCtrl-C ends it.");
            return asExpected;
        }
    }

    private static boolean fill(DemoStage stage, Screen screen, HttpClient client) {
        screen.say("\n# Traffic for the dashboards");
        var traffic = new DemoTraffic(
                client,
                stage.data(),
                stage.admin(),
                stage.gateway().adminToken().reveal());
        screen.say(REQUESTS + " requests, answers by status: "
                + traffic.send(REQUESTS, stage.upstream().port()));
        boolean shipped = new DemoShipping(client, stage.admin()).await();
        if (!shipped) {
            screen.say("Elasticsearch has not taken all of it yet; " + stage.admin() + "/health/ready tells why");
            return false;
        }
        screen.say("all of it is in the data stream logs-gateway.traffic-default");
        dashboards(stage.admin()).lines().forEach(screen::say);
        return true;
    }

    private static String dashboards(String admin) {
        return """

            Kibana: load the dashboard, then open it at /app/dashboards#/view/gateway-traffic
              curl -H 'kbn-xsrf: true' -F file=@docs/dashboards/kibana.ndjson \\
                'http://localhost:5601/api/saved_objects/_import?overwrite=true'
            Grafana: import docs/dashboards/grafana.json, with a Prometheus that scrapes %s/metrics""".formatted(admin);
    }

    private static boolean isTerminal() {
        return System.getenv("NO_COLOR") == null
                && Optional.ofNullable(System.console())
                        .filter(Console::isTerminal)
                        .isPresent();
    }
}
