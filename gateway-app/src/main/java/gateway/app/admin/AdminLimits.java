package gateway.app.admin;

import java.time.Duration;

/// What the admin plane spends on its callers, whoever they are. Bodies are read only for those who hold the token, so
/// the most memory that bodies take is `bodies` times [gateway.app.admin.AdminHandler#MAX_BODY_BYTES], and what one has
/// beyond that up to [gateway.app.admin.AdminHandler#MAX_CHANGES_BYTES].
///
/// @param bodies request bodies held at a time; the next is answered 503
/// @param connections open connections; more wait to be accepted
/// @param patience from a request's head to the last byte of its body; then the connection is closed
record AdminLimits(int bodies, int connections, Duration patience) {
    static final AdminLimits USUAL = new AdminLimits(8, 128, Duration.ofSeconds(10));
}
