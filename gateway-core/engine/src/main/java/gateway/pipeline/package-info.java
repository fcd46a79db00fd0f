/// The steps of one API and the walk of one request through them.
@NullMarked
package gateway.pipeline;

import org.jspecify.annotations.NullMarked;
