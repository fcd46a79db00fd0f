/// Tests of policies on bodies with whole gateways.
@NullMarked
package gateway.app.message;

import org.jspecify.annotations.NullMarked;
