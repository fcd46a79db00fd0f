/// API keys: who may call what, how often and until when.
@NullMarked
package gateway.key;

import org.jspecify.annotations.NullMarked;
