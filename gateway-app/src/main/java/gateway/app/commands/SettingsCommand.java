package gateway.app.commands;

import gateway.app.settings.SettingValue;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/// `gateway settings`: every setting as it stands.
@Command(name = "settings", description = "Print every setting with its value, its default and where it came from.")
final class SettingsCommand implements Callable<Integer> {
    @ParentCommand
    private GatewayCommand gateway = new GatewayCommand(Map.of());

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        print(gateway.settings().values(), spec.commandLine().getOut());
        return 0;
    }

    private static void print(List<SettingValue> values, PrintWriter out) {
        int name = width(values, "setting", SettingValue::name);
        int value = width(values, "value", SettingValue::value);
        int fallback = width(values, "default", SettingValue::fallback);
        String row = "%-" + name + "s  %-" + value + "s  %-" + fallback + "s  %s%n";
        out.printf(row, "setting", "value", "default", "from");
        for (SettingValue each : values) {
            out.printf(row, each.name(), each.value(), each.fallback(), each.origin());
        }
        out.flush();
    }

    private static int width(List<SettingValue> values, String title, Function<SettingValue, String> column) {
        int widest = values.stream().map(column).mapToInt(String::length).max().orElse(0);
        return Math.max(widest, title.length());
    }
}
