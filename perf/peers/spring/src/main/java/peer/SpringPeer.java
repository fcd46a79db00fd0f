package peer;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Spring Cloud Gateway with what its command line says: one route, no filter. */
@SpringBootApplication
public class SpringPeer {
    public static void main(String[] arguments) {
        SpringApplication.run(SpringPeer.class, arguments);
    }
}
