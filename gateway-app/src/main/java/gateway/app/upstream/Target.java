package gateway.app.upstream;

import gateway.config.TargetDefinition;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/// One server of an upstream, with what every request to it begins with ready as bytes.
///
/// @param authority for `Host`
/// @param location scheme and authority
/// @param basePath stands before the forwarded path, without slash at the end; often empty
record Target(TargetAddress address, String location, String authority, String basePath) {
    static Target of(TargetDefinition definition) {
        URI url = definition.url();
        String path = url.getRawPath() == null ? "" : url.getRawPath();
        String base = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        String location = url.getScheme() + "://" + url.getRawAuthority();
        return new Target(TargetAddress.of(definition), location, url.getRawAuthority(), base);
    }

    byte[] authorityBytes() {
        return authority.getBytes(StandardCharsets.ISO_8859_1);
    }
}
