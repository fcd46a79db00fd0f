package gateway.config;

import gateway.json.ConfigNode;
import gateway.net.UpstreamTls;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// Reads the `tls` of an upstream. The files that it names are looked into when the definition is compiled.
final class UpstreamTlsReader {
    private static final String PIN = "sha256/";
    private static final String EXPECTED_PIN = "expected \"sha256/\" and 32 bytes in base64, or 64 hexadecimal digits";

    private static final Pattern FILE = Pattern.compile("[^\\x00]+");
    private static final Pattern SERVER = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?");
    private static final Pattern PIN_FORM = Pattern.compile("[0-9a-fA-F]{64}|sha256/[A-Za-z0-9+/]{43}=?");

    private UpstreamTlsReader() {}

    /// `targets` with what `node` says of those that are spoken to by `https`.
    static List<TargetDefinition> secured(List<TargetDefinition> targets, ConfigNode node) {
        if (!node.expectObject()) return targets;
        var serverName = node.field("serverName", "that its certificate is for")
                .unlessGiven("the target's host")
                .like(SERVER)
                .optionalText();
        var tls = new UpstreamTls(
                file(node.field("ca", "PEM file of the authorities that are trusted")
                        .unlessGiven("the platform's")),
                file(node.field("certificate", "PEM file of the certificate that is shown")),
                file(node.field("key", "PEM file of its key, when that lies apart")),
                "",
                node.field("pins", "SHA-256 of public keys that the server may have")
                        .list(UpstreamTlsReader::pin));
        serverName
                .filter(name -> !SERVER.matcher(name).matches())
                .ifPresent(name -> node.field("serverName").problem("expected a host name, got \"" + name + "\""));
        if (tls.key().isPresent() && tls.certificate().isEmpty()) {
            node.field("key").problem("expected nothing, since there is no certificate");
        }
        if (!targets.isEmpty()
                && targets.stream().allMatch(target -> target.tls().isEmpty())) {
            node.problem("expected nothing, since no target begins with https://");
        }
        node.beside("certificate", "key").refuseUnknownFields();
        return targets.stream().map(target -> secured(target, tls, serverName)).toList();
    }

    private static TargetDefinition secured(TargetDefinition target, UpstreamTls tls, Optional<String> serverName) {
        return target.tls()
                .map(usual -> new TargetDefinition(
                        target.url(),
                        target.weight(),
                        Optional.of(tls.named(serverName.orElse(usual.serverName()))),
                        target.protocol()))
                .orElse(target);
    }

    private static Optional<Path> file(ConfigNode node) {
        if (!node.isPresent()) return Optional.empty();
        String text = node.like(FILE).requiredText();
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(Path.of(text));
        } catch (InvalidPathException e) {
            node.problem("expected a file");
            return Optional.empty();
        }
    }

    private static String pin(ConfigNode node) {
        String text = node.like(PIN_FORM).requiredText();
        if (text.matches("[0-9a-fA-F]{64}")) return text.toLowerCase(Locale.ROOT);
        try {
            byte[] digest =
                    text.startsWith(PIN) ? Base64.getDecoder().decode(text.substring(PIN.length())) : new byte[0];
            if (digest.length == 32) return HexFormat.of().formatHex(digest);
        } catch (IllegalArgumentException e) {
            // reported below, as any other text that is no pin
        }
        if (!text.isEmpty()) node.problem(EXPECTED_PIN);
        return "";
    }
}
