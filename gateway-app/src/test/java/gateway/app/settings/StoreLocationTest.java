package gateway.app.settings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StoreLocationTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "memory memory",
                "redis://h:1 redis://h:1",
                "redis://user:secret@h:1/2 redis://***@h:1/2",
                "redis://:s,ecr,et@h:1 redis://***@h:1",
                "redis://u:a@b@h redis://***@h",
                "redis-sentinel://u:s,x@h1:1,h2:2/0#main redis-sentinel://***@h1:1,h2:2/0#main",
                "redis-cluster://u:s@h1,h2 redis-cluster://***@h1,h2"
            })
    void prints_neither_user_nor_password_whatever_they_hold(String set, String printed) {
        assertThat(StoreLocation.parse(set).orElseThrow()).hasToString(printed);
        assertThat(SettingFormats.hiddenUser(set)).isEqualTo(printed);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "http://a:1,http://b:2 http://a:1,http://b:2",
                "http://u:p@a:1,https://v:q@b:2 http://***@a:1,https://***@b:2",
                "http://u:p,q@a,http://b http://***@a,http://b"
            })
    void every_location_of_a_list_loses_its_user(String set, String printed) {
        assertThat(SettingFormats.hiddenUser(set)).isEqualTo(printed);
    }
}
