package gateway.wire.io;

import gateway.http.Headers;
import gateway.http.HeadersContract;
import io.undertow.util.HeaderMap;

final class FieldViewTest extends HeadersContract {
    @Override
    protected Headers headers() {
        return new FieldView(new HeaderMap());
    }
}
