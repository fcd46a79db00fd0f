package gateway.policies.standard;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.ConfigNode;
import org.junit.jupiter.api.Test;

final class AllowedOriginsTest {
    @Test
    void a_port_belongs_to_the_origin() {
        AllowedOrigins origins = read("'https://app.example.com:8443', 'https://*.example.org:8443'");

        assertThat(origins.contains("https://app.example.com:8443")).isTrue();
        assertThat(origins.contains("https://app.example.com")).isFalse();
        assertThat(origins.contains("https://a.example.org:8443")).isTrue();
        assertThat(origins.contains("https://a.example.org")).isFalse();
        assertThat(origins.contains("https://a.example.org:84430")).isFalse();
    }

    @Test
    void addresses_and_the_schemes_of_apps_make_origins_too() {
        AllowedOrigins origins = read("'http://[::1]:3000', 'http://127.0.0.1', 'capacitor://localhost'");

        assertThat(origins.contains("http://[::1]:3000")).isTrue();
        assertThat(origins.contains("http://127.0.0.1")).isTrue();
        assertThat(origins.contains("capacitor://localhost")).isTrue();
        assertThat(origins.contains("http://localhost")).isFalse();
    }

    @Test
    void a_subdomain_may_have_any_name_that_browsers_send() {
        AllowedOrigins origins = read("'https://*.example.org'");

        assertThat(origins.contains("https://my_app-1.eu.example.org")).isTrue();
        assertThat(origins.contains("https://a@b.example.org")).isFalse();
        assertThat(origins.contains("https://a b.example.org")).isFalse();
        assertThat(origins.contains("https://Ä.example.org")).isFalse();
    }

    @Test
    void a_star_beside_others_lets_all_in() {
        AllowedOrigins origins = read("'https://app.example.com', '*'");

        assertThat(origins.any()).isTrue();
        assertThat(origins.contains("null")).isTrue();
    }

    @Test
    void an_origin_that_is_too_long_is_refused() {
        var node = ConfigNode.parse("[\"https://" + "a".repeat(512) + ".example\"]");

        AllowedOrigins.read(node);

        assertThat(node.problems()).hasSize(1);
    }

    private static AllowedOrigins read(String texts) {
        var node = ConfigNode.parse("[" + texts.replace('\'', '"') + "]");
        AllowedOrigins origins = AllowedOrigins.read(node);
        assertThat(node.problems()).isEmpty();
        return origins;
    }
}
