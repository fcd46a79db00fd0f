package gateway.service;

import gateway.json.InvalidConfigException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// A schema, a stylesheet, a key set or whatever else a policy is made with, as it was stored.
public final class Resource {
    private final ResourceDocument document;
    private final byte[] content;

    /// @param content which nobody changes from now on
    public Resource(ResourceDocument document, byte[] content) {
        this.document = document;
        this.content = content.clone();
    }

    public String id() {
        return document.id();
    }

    public String contentType() {
        return document.contentType();
    }

    /// By which two contents are one.
    public String sha256() {
        return document.sha256();
    }

    public byte[] bytes() {
        return content.clone();
    }

    /// The content as UTF-8.
    ///
    /// @throws InvalidConfigException when it is not
    public String text() {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new InvalidConfigException("", "expected UTF-8 text in the resource \"" + id() + "\"");
        }
    }

    @Override
    public String toString() {
        return document.toString();
    }
}
