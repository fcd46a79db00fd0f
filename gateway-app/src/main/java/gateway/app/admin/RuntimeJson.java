package gateway.app.admin;

import gateway.json.Json;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import tools.jackson.databind.node.ObjectNode;

/// The process as it is now: version, JVM, heap, collector, CPUs, threads, uptime.
///
/// @param counters in memory at most
/// @param requestThreads `io` or `jdk`: what carries requests, after any falling back at start
public record RuntimeJson(
        String version,
        String node,
        String store,
        int ioThreads,
        int requestsInFlight,
        int counters,
        String requestThreads) {
    public ObjectNode now() {
        var runtime = Runtime.getRuntime();
        ObjectNode json = Json.mapper()
                .createObjectNode()
                .put("version", version)
                .put("node", node)
                .put("store", store)
                .put("java", Runtime.version().toString())
                .put("jvm", System.getProperty("java.vm.name", ""))
                .put("cpus", runtime.availableProcessors())
                .put("ioThreads", ioThreads)
                .put("requestThreads", requestThreads)
                .put("requestsInFlight", requestsInFlight)
                .put("counters", counters)
                .put("uptimeSeconds", ManagementFactory.getRuntimeMXBean().getUptime() / 1000.0);
        json.putObject("heap")
                .put("usedBytes", runtime.totalMemory() - runtime.freeMemory())
                .put("committedBytes", runtime.totalMemory())
                .put("maxBytes", runtime.maxMemory());
        var collectors = json.putArray("collectors");
        for (GarbageCollectorMXBean each : ManagementFactory.getGarbageCollectorMXBeans())
            collectors.add(each.getName());
        return json;
    }
}
