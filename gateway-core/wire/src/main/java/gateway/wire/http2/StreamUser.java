package gateway.wire.http2;

import io.undertow.util.HeaderMap;

/// Who has sent a request and takes its answer. Told on the IO thread; nothing more once the stream is left or lost.
public interface StreamUser {
    /// Where the fields of the final head go.
    HeaderMap responseFields();

    /// A head with a 1xx status came.
    void interim(int status, HeaderMap fields);

    /// The final head came.
    ///
    /// @param contentLength -1 when not given
    /// @param last whether nothing follows it
    void head(int status, long contentLength, boolean last);

    /// More content, or its end, is there.
    void arrived();

    /// More of the request may be written.
    void writable();

    /// The stream is over though its answer is not whole.
    void lost(Loss why);
}
