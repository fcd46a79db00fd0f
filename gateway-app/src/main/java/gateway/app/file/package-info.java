/// How the gateway makes files.
@NullMarked
package gateway.app.file;

import org.jspecify.annotations.NullMarked;
