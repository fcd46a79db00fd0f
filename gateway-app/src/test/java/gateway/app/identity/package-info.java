/// Who calls, on whole gateways: identity providers that lie, break and rotate their keys, and those of other makers.
@NullMarked
package gateway.app.identity;

import org.jspecify.annotations.NullMarked;
