package gateway.service;

import java.util.Optional;

/// The contents of resources, each kept once under its SHA-256 however many documents and revisions name
/// it. What none of these names any more goes after a while.
public interface Contents {
    /// Keeps nothing.
    Contents NONE = new Contents() {
        @Override
        public Optional<byte[]> find(String sha256) {
            return Optional.empty();
        }

        @Override
        public void keep(byte[] content) {
            throw new DependencyException("contents", "nothing can be kept here");
        }
    };

    /// What hashes to `sha256`, in hexadecimal digits; empty when it is not here, or not what it was.
    ///
    /// @throws DependencyException when the store does not answer
    Optional<byte[]> find(String sha256);

    /// Keeps `content` for the document that is about to name it.
    ///
    /// @throws DependencyException when the store does not answer
    void keep(byte[] content);
}
