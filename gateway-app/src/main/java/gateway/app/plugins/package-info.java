/// Policies and conditions that users bring, as jars in a folder.
@NullMarked
package gateway.app.plugins;

import org.jspecify.annotations.NullMarked;
