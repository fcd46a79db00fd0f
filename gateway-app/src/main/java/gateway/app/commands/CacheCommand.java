package gateway.app.commands;

import gateway.app.CacheNode;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/// `gateway cache`: a member of the cache component, until it is told to stop.
@Command(name = "cache", description = "Run a member of the cache component, which keeps entries that gateways share.")
final class CacheCommand implements Callable<Integer> {
    @ParentCommand
    private GatewayCommand gateway = new GatewayCommand(Map.of());

    @Override
    public Integer call() {
        return gateway.serve(settings -> {
            CacheNode node = CacheNode.start(settings);
            return new GatewayCommand.Serving(node.ending(), node::watchJvm);
        });
    }
}
