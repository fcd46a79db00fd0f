package gateway.app.admin;

import gateway.http.Secret;
import gateway.json.InvalidConfigException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The tokens that open the admin API: the one of the settings, and those of a file, which is read again when it has
/// changed. A file that cannot be read any more changes nothing and is told once.
public final class AdminTokens {
    private static final Logger LOG = LoggerFactory.getLogger(AdminTokens.class);
    private static final String SCHEME = "Bearer ";

    private final AdminToken first;
    private final Optional<AdminTokensFile> file;
    private List<AdminToken> further; // guarded by this

    private AdminTokens(AdminToken first, Optional<AdminTokensFile> file, List<AdminToken> further) {
        this.first = first;
        this.file = file;
        this.further = further;
    }

    /// @param path of the file of further ones
    /// @throws InvalidConfigException when it cannot be read or says something else than tokens
    public static AdminTokens of(Secret token, Optional<Path> path) {
        Optional<AdminTokensFile> file = path.map(AdminTokensFile::new);
        return new AdminTokens(
                AdminToken.of(token), file, file.map(AdminTokensFile::read).orElse(List.of()));
    }

    /// @param further tokens, which stay as they are
    static AdminTokens of(Secret token, List<AdminToken> further) {
        return new AdminTokens(AdminToken.of(token), Optional.empty(), List.copyOf(further));
    }

    /// Who holds the token that an `Authorization` header carries; empty when nobody does. The scheme's case does not
    /// matter (RFC 9110 §11.1). All tokens are compared, so that the time tells nothing of which one came near.
    Optional<AdminCaller> caller(Optional<String> authorization) {
        String sent = authorization.orElse("");
        if (!sent.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) return Optional.empty();
        byte[] digest = AdminToken.digest(sent.substring(SCHEME.length()).strip());
        Optional<AdminCaller> found = first.isOf(digest) ? Optional.of(first.caller()) : Optional.empty();
        for (AdminToken token : further()) {
            if (token.isOf(digest) && found.isEmpty()) found = Optional.of(token.caller());
        }
        return found;
    }

    /// Nobody sees the old tokens once somebody has seen that the file has changed.
    private synchronized List<AdminToken> further() {
        if (file.isPresent()) file.get().changed().ifPresent(this::replace);
        return further;
    }

    private void replace(AdminTokensFile.Change change) {
        switch (change) {
            case AdminTokensFile.Change.Tokens(var tokens) -> {
                further = tokens;
                LOG.info("admin tokens read again: {}", tokens);
            }
            case AdminTokensFile.Change.Broken(var reason) ->
                LOG.error("admin tokens stay as they are, since the changed file is refused: {}", reason);
        }
    }
}
