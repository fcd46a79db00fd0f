/// What the steps of a pipeline do for the version of an API: refuse, announce its end, take its name off.
@NullMarked
package gateway.version;

import org.jspecify.annotations.NullMarked;
