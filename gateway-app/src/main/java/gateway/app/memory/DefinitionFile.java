package gateway.app.memory;

import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.service.Contents;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import gateway.service.ResourceDocument;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/// One file of a folder of documents of one kind: its name without `.json` is the id of what it defines.
///
/// @param text the JSON text with its id
record DefinitionFile(String id, String text, Stamp stamp) {
    static final String SUFFIX = ".json";

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");
    private static final long LARGEST = 4L << 20;

    /// Whether `id` makes a file name of its own on every file system.
    static boolean isSafe(String id) {
        return ID.matcher(id).matches();
    }

    /// Whether a file of this name is meant as a document of that kind.
    static boolean isNamed(DocumentKind kind, String fileName) {
        return fileName.endsWith(suffix(kind)) && !fileName.startsWith(".");
    }

    /// What follows the id in names of files: nothing where the file is the content itself.
    static String suffix(DocumentKind kind) {
        return kind == DocumentKind.RESOURCES ? "" : SUFFIX;
    }

    /// @param known the text last known under this id, which is not parsed again
    /// @throws InvalidConfigException pointing to the kind and the file's name: `/apis/orders.json`
    static DefinitionFile read(
            DocumentKind kind, Path file, Stamp stamp, Optional<String> known, FoundDocument found, Contents contents) {
        String name = String.valueOf(file.getFileName());
        String id = name.substring(0, name.length() - suffix(kind).length());
        String pointer = new DocumentId(kind, name).pointer();
        if (!isSafe(id)) {
            throw new InvalidConfigException(
                    pointer,
                    "expected a file name of 1 to 128 letters, digits, '.', '_' or '-'"
                            + (suffix(kind).isEmpty() ? "" : " and \".json\""));
        }
        if (kind == DocumentKind.SECRETS) return readSecret(id, file, stamp, found);
        if (kind == DocumentKind.RESOURCES)
            return readResource(id, bytes(file, stamp, pointer), stamp, known, contents);
        String text = text(file, stamp, pointer);
        if (known.isPresent() && known.get().equals(text)) return new DefinitionFile(id, text, stamp);
        String kept = found.kept(new DocumentId(kind, id), withId(id, text, pointer));
        return new DefinitionFile(id, kept, stamp);
    }

    /// Nothing is told of a text that cannot be read: it may be the secret itself. The document says that it is
    /// broken, and the others serve.
    private static DefinitionFile readSecret(String id, Path file, Stamp stamp, FoundDocument found) {
        var document = new DocumentId(DocumentKind.SECRETS, id);
        String text;
        try {
            text = withId(id, text(file, stamp, ""), "");
        } catch (InvalidConfigException e) {
            text = Json.pretty(Json.mapper().createObjectNode().put("id", id));
        }
        return new DefinitionFile(id, found.kept(document, text), stamp);
    }

    /// The same content is the same document, whatever type it was stored with.
    private static DefinitionFile readResource(
            String id, byte[] content, Stamp stamp, Optional<String> known, Contents contents) {
        contents.keep(content);
        var found = ResourceDocument.of(id, "", content);
        Optional<String> same =
                known.filter(text -> ResourceDocument.read(text).sha256().equals(found.sha256()));
        return new DefinitionFile(id, same.orElseGet(found::json), stamp);
    }

    private static String text(Path file, Stamp stamp, String pointer) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes(file, stamp, pointer)))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new InvalidConfigException(pointer, "expected UTF-8 text");
        }
    }

    private static byte[] bytes(Path file, Stamp stamp, String pointer) {
        if (stamp.size() > LARGEST) {
            throw new InvalidConfigException(pointer, "expected at most 4 MiB, got " + stamp.size() + " bytes");
        }
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new InvalidConfigException(pointer, "cannot be read: " + e);
        }
    }

    private static String withId(String id, String text, String pointer) {
        if (!(parsed(text, pointer) instanceof ObjectNode definition)) {
            throw new InvalidConfigException(pointer, "expected a JSON object");
        }
        var given = definition.get("id");
        if (given == null) return Json.pretty(identified(id, definition));
        if (given.isString() && given.stringValue().equals(id)) return text;
        throw new InvalidConfigException(
                pointer,
                "expected \"id\": \"" + id + "\" as the file is named, got " + given
                        + "; rename the file or change the id");
    }

    private static Object parsed(String text, String pointer) {
        try {
            return Json.parse(text);
        } catch (InvalidConfigException e) {
            throw new InvalidConfigException(e.problems().stream()
                    .map(problem -> new ConfigProblem(pointer, problem.message()))
                    .toList());
        }
    }

    private static ObjectNode identified(String id, ObjectNode definition) {
        return Json.mapper().createObjectNode().put("id", id).setAll(definition);
    }
}
