package gateway.capture;

/// Which bodies of an API's requests, or of its responses, are recorded.
///
/// @param most bytes of a body that are kept; 0 turns it off
public record BodyRule(int most, ContentTypes types, BodyMask mask) {
    public static final BodyRule OFF = new BodyRule(0, ContentTypes.TEXT, BodyMask.NOTHING);

    public boolean isOn() {
        return most > 0;
    }
}
