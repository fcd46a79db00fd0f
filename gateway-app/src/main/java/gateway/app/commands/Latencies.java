package gateway.app.commands;

/// Latencies from the moment a request was due, in milliseconds, off by less than 0.1 %.
///
/// @param mean of all, for Little's law
/// @param lagP50 how late the load generator itself was, with a connection free; part of the latencies
record Latencies(
        double p50, double p90, double p99, double p999, double max, double mean, double lagP50, double lagP99) {}
