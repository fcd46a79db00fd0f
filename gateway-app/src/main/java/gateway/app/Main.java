package gateway.app;

/// The entry point of the gateway process.
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        System.out.println("gateway");
    }
}
