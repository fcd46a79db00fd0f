package gateway.service;

/// Where a record of every request goes.
public interface TrafficLog {
    /// Takes no records.
    TrafficLog OFF = record -> {};

    /// Hands `record` over, from any thread: returns at once, never throws, keeps no caller waiting. A record
    /// that finds no room is dropped and counted. The record is the log's from now on, which releases it when it is
    done.
    void record(TrafficRecord record);
}
