/// What the process counts, under names that stand in one file.
@NullMarked
package gateway.app.metrics;

import org.jspecify.annotations.NullMarked;
