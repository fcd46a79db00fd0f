/// Keys that signatures are verified with, read, fetched and kept, and whose cryptography does that. Families of
/// policies stand on it that would know each other otherwise.
@NullMarked
package gateway.policies.cryptography;

import org.jspecify.annotations.NullMarked;
