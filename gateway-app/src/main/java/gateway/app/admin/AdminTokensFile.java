package gateway.app.admin;

import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The file of further admin tokens, for one thread at a time:
///
/// ```json
/// {"tokens": [{"name": "deploy", "sha256": "<64 hexadecimal digits>", "rights": ["read", "write"]}]}
/// ```
final class AdminTokensFile {
    private static final long MOST_BYTES = 256 * 1024;
    private static final int MOST_TOKENS = 500;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");

    private final Path path;
    private @Nullable Stamp seen;

    /// What is new in the file.
    sealed interface Change {
        record Tokens(List<AdminToken> tokens) implements Change {}

        record Broken(String reason) implements Change {}
    }

    private record Stamp(long modified, long size, @Nullable Object key) {}

    AdminTokensFile(Path path) {
        this.path = path;
    }

    /// @throws InvalidConfigException with every problem, when it does not say tokens or others may write it
    List<AdminToken> read() {
        try {
            return tryRead();
        } catch (IOException e) {
            throw problem("cannot be read: " + e);
        }
    }

    private List<AdminToken> tryRead() throws IOException {
        seen = stamp();
        if (seen.size > MOST_BYTES) throw problem("expected at most " + MOST_BYTES + " bytes, got " + seen.size);
        refuseWritableByOthers();
        try {
            return tokens(ConfigNode.parse(Files.readString(path, StandardCharsets.UTF_8)));
        } catch (InvalidConfigException e) {
            throw new InvalidConfigException(
                    e.problems().stream().map(this::inFile).toList());
        }
    }

    /// What it says now; empty when it is as it was when it was last looked at.
    Optional<Change> changed() {
        Stamp before = seen;
        try {
            Stamp now = stamp();
            return now.equals(before) ? Optional.empty() : Optional.of(new Change.Tokens(read()));
        } catch (IOException e) {
            seen = null;
            return before == null ? Optional.empty() : Optional.of(new Change.Broken(path + ": " + e));
        } catch (InvalidConfigException e) {
            return Optional.of(new Change.Broken(String.valueOf(e.getMessage())));
        }
    }

    private Stamp stamp() throws IOException {
        var attributes = Files.readAttributes(path, BasicFileAttributes.class);
        return new Stamp(
                attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS), attributes.size(), attributes.fileKey());
    }

    /// Whoever may write it may call himself an administrator.
    private void refuseWritableByOthers() throws IOException {
        if (!path.getFileSystem().supportedFileAttributeViews().contains("posix")) return;
        Set<PosixFilePermission> mode = Files.getPosixFilePermissions(path);
        if (mode.contains(PosixFilePermission.OTHERS_WRITE) || mode.contains(PosixFilePermission.GROUP_WRITE)) {
            throw problem("expected a file that only its owner may write (chmod go-w)");
        }
    }

    private InvalidConfigException problem(String message) {
        return new InvalidConfigException(path.toString(), message);
    }

    /// With the file before the pointer, as a URI has it (RFC 6901 §6).
    private ConfigProblem inFile(ConfigProblem problem) {
        return problem.pointer().isEmpty()
                ? new ConfigProblem(path.toString(), problem.message())
                : new ConfigProblem(path + "#" + problem.pointer(), problem.message());
    }

    private static List<AdminToken> tokens(ConfigNode root) {
        root.requireObject();
        var names = new HashSet<String>();
        List<AdminToken> tokens = root.field("tokens").list(node -> token(node, names));
        if (tokens.size() > MOST_TOKENS) {
            root.field("tokens").problem("expected at most " + MOST_TOKENS + " tokens, got " + tokens.size());
        }
        root.refuseUnknownFields();
        root.throwIfInvalid();
        return tokens;
    }

    private static AdminToken token(ConfigNode node, Set<String> names) {
        node.requireObject();
        ConfigNode name = node.field("name");
        String called = name.requiredText();
        if (!called.isEmpty() && !NAME.matcher(called).matches()) {
            name.problem("expected up to 64 letters, digits, dots, dashes and underscores, got \"" + called + "\"");
        } else if (!called.isEmpty() && !names.add(called)) {
            name.problem("the name \"" + called + "\" stands twice");
        }
        ConfigNode digest = node.field("sha256");
        String hex = digest.requiredText();
        boolean isDigest = DIGEST.matcher(hex).matches();
        if (!hex.isEmpty() && !isDigest) {
            digest.problem("expected the SHA-256 of the token as 64 lower-case hexadecimal digits");
        }
        Set<AdminRight> rights = rights(node.field("rights"));
        node.refuseUnknownFields();
        byte[] octets = isDigest ? HexFormat.of().parseHex(hex) : new byte[AdminToken.DIGEST_BYTES];
        return AdminToken.ofDigest(octets, new AdminCaller(called, rights));
    }

    private static Set<AdminRight> rights(ConfigNode node) {
        var rights = EnumSet.noneOf(AdminRight.class);
        node.list(each -> {
            String name = each.text();
            AdminRight.of(name).ifPresentOrElse(rights::add, () -> each.problem(AdminRight.problem(name)));
            return name;
        });
        if (rights.isEmpty() && !node.hasProblems()) {
            node.problem("expected at least one of " + String.join(", ", AdminRight.names()));
        }
        return rights;
    }
}
