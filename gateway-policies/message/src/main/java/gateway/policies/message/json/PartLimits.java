package gateway.policies.message.json;

import gateway.json.ConfigNode;
import gateway.policies.message.form.MultipartForm;

/// Bounds of a `multipart/form-data`.
///
/// @param count parts of one
/// @param name characters of a part's name
/// @param size bytes of a part
record PartLimits(int count, int name, long size) {
    private static final int LONGEST_NAME = 1_000;
    private static final long LARGEST = 16 << 20;
    private static final long USUAL = 1 << 20;

    static PartLimits read(ConfigNode node) {
        node.expectObject();
        var limits = new PartLimits(
                (int) node.field("count", "of one form").integer(1, MultipartForm.MOST, MultipartForm.MOST),
                (int) node.field("name", "characters of a part's name").integer(1, LONGEST_NAME, 128),
                node.field("size", "most bytes of a part").size(1, LARGEST, USUAL));
        node.refuseUnknownFields();
        return limits;
    }
}
