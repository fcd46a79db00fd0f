/// Reading XML that somebody else wrote: the one place where its parsers are made, so that no policy makes one with
/// other bounds.
@NullMarked
package gateway.xml;

import org.jspecify.annotations.NullMarked;
