package gateway.app.traffic;

/// Where records of requests go.
enum TrafficLogSink {
    OFF,
    FILE,
    STDOUT,
    ELASTICSEARCH
}
