/// Secrets that definitions refer to: stored ones, sealed at rest, variables of the environment and files.
@NullMarked
package gateway.app.secrets;

import org.jspecify.annotations.NullMarked;
