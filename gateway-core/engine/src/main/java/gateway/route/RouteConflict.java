package gateway.route;

/// Two APIs that would serve the same requests.
///
/// @param api the later one, by order of ids
/// @param other the one that was there first
public record RouteConflict(String api, String other, String host, String path, String method) {
    @Override
    public String toString() {
        return "same match as API \"" + other + "\": " + method + " " + path + " on " + host;
    }
}
