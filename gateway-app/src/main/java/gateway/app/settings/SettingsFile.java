package gateway.app.settings;

import gateway.json.InvalidConfigException;
import gateway.json.Json;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// The settings file: one object, JSON or YAML by the file's name.
public final class SettingsFile {
    private SettingsFile() {}

    /// The settings by name, as they stand in `file`.
    ///
    /// @throws InvalidConfigException when it cannot be read or is no object
    public static Map<String, JsonNode> read(Path file) {
        JsonNode tree = parse(file, text(file));
        if (tree.isNull() || tree.isMissingNode()) return Map.of();
        if (!tree.isObject()) throw new InvalidConfigException("", file + ": expected settings by name");
        var settings = new LinkedHashMap<String, JsonNode>();
        tree.propertyStream().forEach(each -> settings.put(each.getKey(), each.getValue()));
        return settings;
    }

    private static String text(Path file) {
        if (file.toString().isEmpty()) throw new InvalidConfigException("", "--config: expected a file, got \"\"");
        if (Files.isDirectory(file)) throw new InvalidConfigException("", file + ": expected a file, got a folder");
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new InvalidConfigException("", file + ": there is no such file");
        } catch (AccessDeniedException e) {
            throw new InvalidConfigException("", file + ": this user may not read it");
        } catch (CharacterCodingException e) {
            throw new InvalidConfigException("", file + ": expected UTF-8");
        } catch (IOException e) {
            throw new InvalidConfigException("", file + " cannot be read: " + e.getMessage());
        }
    }

    private static JsonNode parse(Path file, String text) {
        if (file.toString().endsWith(".json")) return Json.parse(text);
        try {
            return YAMLMapper.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build()
                    .readTree(text);
        } catch (JacksonException e) {
            throw new InvalidConfigException("", file + " is not valid YAML: " + e.getOriginalMessage());
        }
    }
}
