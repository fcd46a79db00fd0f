package gateway.app;

/// Where records of requests go.
enum TrafficLogSink {
    OFF,
    FILE,
    STDOUT,
    ELASTICSEARCH
}
