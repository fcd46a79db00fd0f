/// How settings are declared, read and explained.
@NullMarked
package gateway.app.settings;

import org.jspecify.annotations.NullMarked;
