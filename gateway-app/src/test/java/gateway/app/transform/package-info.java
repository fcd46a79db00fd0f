/// What becomes of requests and answers on whole gateways: headers, redirects, variables, and who is kept out
/// meanwhile.
@NullMarked
package gateway.app.transform;

import org.jspecify.annotations.NullMarked;
