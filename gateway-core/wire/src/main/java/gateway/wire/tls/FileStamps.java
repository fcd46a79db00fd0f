package gateway.wire.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/// What files look like from outside: equal as long as none of them was changed, replaced or pointed elsewhere.
record FileStamps(List<String> each) {
    FileStamps {
        each = List.copyOf(each);
    }

    /// @param places files, and folders with the names that are looked for in them
    static FileStamps of(List<Path> places) {
        var stamps = new ArrayList<String>();
        for (Path place : places) {
            if (Files.isDirectory(place)) {
                stamps.add(stamp(place.resolve("tls.crt")));
                stamps.add(stamp(place.resolve("tls.key")));
            } else {
                stamps.add(stamp(place));
            }
        }
        return new FileStamps(stamps);
    }

    private static String stamp(Path file) {
        try {
            var seen = Files.readAttributes(file, BasicFileAttributes.class);
            return file + " " + seen.lastModifiedTime() + " " + seen.size() + " " + seen.fileKey();
        } catch (IOException e) {
            return file + " gone";
        }
    }
}
