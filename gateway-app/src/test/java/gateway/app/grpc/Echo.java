package gateway.app.grpc;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// The methods of the service `test.Echo`. Its messages are texts rather than Protocol Buffers, which gRPC leaves to
/// its users: nothing has to be generated.
public final class Echo {
    static final String SERVICE = "test.Echo";
    public static final MethodDescriptor<String, String> UNARY = method("Unary", MethodType.UNARY);
    public static final MethodDescriptor<String, String> UPLOAD = method("Upload", MethodType.CLIENT_STREAMING);
    static final MethodDescriptor<String, String> HOLD = method("Hold", MethodType.CLIENT_STREAMING);
    public static final MethodDescriptor<String, String> DOWNLOAD = method("Download", MethodType.SERVER_STREAMING);
    public static final MethodDescriptor<String, String> CHAT = method("Chat", MethodType.BIDI_STREAMING);

    static final MethodDescriptor<String, String> HEALTH = method("grpc.health.v1.Health", "Check", MethodType.UNARY);

    private Echo() {}

    private static MethodDescriptor<String, String> method(String name, MethodType type) {
        return method(SERVICE, name, type);
    }

    private static MethodDescriptor<String, String> method(String service, String name, MethodType type) {
        return MethodDescriptor.<String, String>newBuilder()
                .setFullMethodName(MethodDescriptor.generateFullMethodName(service, name))
                .setType(type)
                .setRequestMarshaller(new Text())
                .setResponseMarshaller(new Text())
                .build();
    }

    private record Text() implements MethodDescriptor.Marshaller<String> {
        @Override
        public InputStream stream(String message) {
            return new ByteArrayInputStream(message.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String parse(InputStream stream) {
            try (stream) {
                return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
