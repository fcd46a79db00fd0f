package gateway.http;

/// How the head of a request is passed on once policies have changed something of it.
///
/// @param path whatever the client wrote
/// @param authority empty text: none of its own
/// @param branch empty text: whichever the upstream chooses
record Rewriting(String path, String authority, String branch, boolean encodedSeparators) implements Forwarding {
    @Override
    public String forwardedPath(String rawPath) {
        return path;
    }

    Rewriting withPath(String other) {
        return new Rewriting(other, authority, branch, encodedSeparators);
    }

    Rewriting withAuthority(String other) {
        return new Rewriting(path, other, branch, encodedSeparators);
    }

    Rewriting withBranch(String other) {
        return new Rewriting(path, authority, other, encodedSeparators);
    }
}
