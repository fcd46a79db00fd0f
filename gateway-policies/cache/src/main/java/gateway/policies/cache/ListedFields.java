package gateway.policies.cache;

import java.util.List;

/// Names of fields, compared as they are: to lower case a name is to make another text of it.
final class ListedFields {
    private ListedFields() {}

    static boolean isAmong(List<String> names, String name) {
        for (int i = 0; i < names.size(); i++) if (names.get(i).equalsIgnoreCase(name)) return true;
        return false;
    }
}
