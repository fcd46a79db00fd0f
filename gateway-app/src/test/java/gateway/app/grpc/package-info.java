/// gRPC through the whole gateway, between a client and a server of grpc-java.
@NullMarked
package gateway.app.grpc;

import org.jspecify.annotations.NullMarked;
