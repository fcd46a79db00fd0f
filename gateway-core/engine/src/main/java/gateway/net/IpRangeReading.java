package gateway.net;

/// What reading the text of an IP range gives.
public sealed interface IpRangeReading permits IpRange, IpRangeReading.Wrong {
    /// @param message what was expected and what was found
    record Wrong(String message) implements IpRangeReading {}
}
