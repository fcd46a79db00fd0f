package gateway.http;

final class HeaderListTest extends HeadersContract {
    @Override
    protected Headers headers() {
        return Headers.create();
    }
}
