package gateway.service;

/// Where a record of every request goes.
public interface TrafficLog {
    /// Takes no records.
    TrafficLog OFF = record -> {};

    /// Hands `record` over, from any thread: returns at once, never throws, keeps no caller waiting. A record
    /// that finds no room is dropped and counted. From now on the record is the log's, to be released by it.
    void record(TrafficRecord record);
}
