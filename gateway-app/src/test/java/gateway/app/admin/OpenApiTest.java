package gateway.app.admin;

import static gateway.app.admin.AdminServer.definition;
import static gateway.app.admin.AdminServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.Json;
import gateway.service.DocumentKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Walks the OpenAPI document and provokes every answer it promises on a running admin plane.
final class OpenApiTest {
    private static final String GOOD_API = definition("orders", "/orders");
    private static final int MOST_BODIES = 100;
    private static final int MOST_CALLS = 10_000;
    private static final String GOOD_PLAN = "{\"id\": \"orders\", \"quota\": {\"requests\": 10, \"per\": \"1d\"}}";
    private static final String GOOD_SECRET = "{\"id\": \"orders\", \"value\": \"hush\"}";
    private static final String GOOD_SET = "{\"id\": \"orders\", \"policies\": []}";
    private static final String GOOD_KEY = "{\"id\": \"k1\"}";

    private static final String USING = "\"policies\": [{\"use\": \"orders\"}], ";
    private static final String PUT_API = "{\"put\": [{\"kind\": \"apis\", \"document\": %s}]}";
    private static final String DELETE_API = "{\"delete\": [{\"kind\": \"apis\", \"id\": \"unknown\"}]}";

    /// What provokes a status of an operation where no general recipe does.
    private static final Map<String, Function<AdminServer, HttpResponse<String>>> RECIPES = recipes();

    @Test
    void every_documented_answer_is_given() {
        var missing = new ArrayList<String>();
        JsonNode document;
        try (var server = new AdminServer()) {
            document = json(server.get("/openapi.json"));
        }

        for (String promise : promises(document)) {
            if (promise.endsWith(" 421")) continue; // no client library lets a test write `Host`
            int status = Integer.parseInt(promise.substring(promise.lastIndexOf(' ') + 1));
            try (var server = new AdminServer()) {
                HttpResponse<String> response = provoke(server, promise);
                if (response.statusCode() != status) missing.add(promise + ": got " + response.statusCode());
                if (status >= 400 && !isProblem(response, status)) missing.add(promise + ": no problem document");
            }
        }

        assertThat(missing).isEmpty();
    }

    @Test
    void every_operation_may_answer_that_it_is_not_meant() throws IOException {
        try (var server = new AdminServer()) {
            JsonNode document = json(server.get("/openapi.json"));
            for (AdminRoute route : server.api.routes()) {
                assertThat(promises(document)).contains(route.method() + " " + route.path() + " 421");
                try (Socket socket = server.connect()) {
                    String head = route.method() + " /admin/v1" + route.path().replaceAll("\\{\\w+}", "1")
                            + " HTTP/1.1\r\nHost: rebound.example.com\r\nConnection: close\r\n\r\n";
                    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
                    String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                    assertThat(answer).startsWith("HTTP/1.1 421 ").contains("X-Request-Id: ");
                }
            }
        }
    }

    @Test
    void every_route_is_documented_and_nothing_else() {
        try (var server = new AdminServer()) {
            var documented = new TreeSet<String>();
            JsonNode paths = json(server.get("/openapi.json")).get("paths");
            for (String path : paths.propertyNames()) {
                for (String method : paths.get(path).propertyNames()) {
                    documented.add(method.toUpperCase(Locale.ROOT) + " " + path);
                }
            }

            assertThat(server.api.routes().stream().map(route -> route.method() + " " + route.path()))
                    .containsExactlyInAnyOrderElementsOf(documented);
        }
    }

    @Test
    void every_schema_that_is_named_is_there() {
        try (var server = new AdminServer()) {
            JsonNode document = json(server.get("/openapi.json"));

            for (JsonNode reference : document.findValues("$ref")) {
                assertThat(document.at(reference.stringValue().substring(1)).isObject())
                        .as(reference.stringValue())
                        .isTrue();
            }
        }
    }

    @Test
    void the_schema_of_a_kind_knows_policies_that_the_gateway_was_given() {
        try (var server = new AdminServer()) {
            JsonNode policies = json(server.get("/schemas/apis")).at("/$defs/Policy/oneOf");
            JsonNode described = json(server.get("/openapi.json")).at("/components/schemas/Policy/oneOf");

            assertThat(policies.findValuesAsString("title")).contains("use", "rate-limit", "require-header");
            assertThat(described.findValuesAsString("title")).isEqualTo(policies.findValuesAsString("title"));
            assertThat(json(server.get("/schemas/policy-sets")).at("/$defs/SetPolicy/oneOf/1/properties/scope/enum/1"))
                    .isEqualTo(Json.parse("\"shared\""));
        }
    }

    @Test
    void every_kind_of_documents_has_a_schema_which_the_list_of_operations_names() {
        try (var server = new AdminServer()) {
            String listed = json(server.get("/openapi.json"))
                    .at("/paths/~1schemas~1{name}/get/summary")
                    .stringValue();
            for (DocumentKind kind : EnumSet.complementOf(EnumSet.of(DocumentKind.RESOURCES))) {
                assertThat(server.get("/schemas/" + kind.text()).statusCode())
                        .as(kind.text())
                        .isEqualTo(200);
                assertThat(listed).contains('`' + kind.text() + '`');
            }
        }
    }

    private static List<String> promises(JsonNode document) {
        var promises = new ArrayList<String>();
        JsonNode paths = document.get("paths");
        for (String path : paths.propertyNames()) {
            for (String method : paths.get(path).propertyNames()) {
                for (String status :
                        paths.get(path).get(method).get("responses").propertyNames()) {
                    promises.add(method.toUpperCase(Locale.ROOT) + " " + path + " " + status);
                }
            }
        }
        return promises;
    }

    private static boolean isProblem(HttpResponse<String> response, int status) {
        return response.headers().firstValue("Content-Type").orElse("").equals("application/problem+json")
                && json(response).get("status").intValue() == status
                && json(response).get("requestId").isString();
    }

    private static HttpResponse<String> provoke(AdminServer server, String promise) {
        String[] words = promise.split(" ", 3);
        var recipe = RECIPES.get(promise);
        if (recipe != null) return recipe.apply(server);
        String path = words[1].replace("{id}", "unknown").replace("{n}", "999").replace("{name}", "un.known");
        HttpRequest.Builder request = server.request("/admin/v1" + path);
        return switch (words[2]) {
            case "400" ->
                server.send(server.request("/admin/v1" + path + "?surprise=1")
                        .method(words[0], BodyPublishers.ofString("{}"))
                        .header("Content-Type", "application/json"));
            case "401" ->
                server.send(
                        request.setHeader("Authorization", "Bearer wrong").method(words[0], BodyPublishers.noBody()));
            case "403" ->
                server.send(request.setHeader("Authorization", "Bearer " + AdminServer.LESSER_TOKEN)
                        .method(words[0], BodyPublishers.noBody()));
            case "404" -> server.write(words[0], path, words[0].equals("PUT") ? body(path) : "");
            case "413" -> {
                boolean many = path.equals("/changes") || path.equals("/validate");
                int most = many ? AdminHandler.MAX_CHANGES_BYTES : AdminHandler.MAX_BODY_BYTES;
                yield server.write(words[0], path, " ".repeat(most + 1));
            }
            case "415" -> {
                exist(server);
                yield server.send(
                        server.request("/admin/v1" + known(words[1])).method(words[0], BodyPublishers.ofString("{}")));
            }
            case "304" -> {
                exist(server);
                String known = words[1].replace("{id}", words[1].startsWith("/keys") ? "k1" : "orders");
                String tag = server.get(known).headers().firstValue("ETag").orElseThrow();
                yield server.write(words[0], known, "", "If-None-Match", "\"other\", W/" + tag);
            }
            case "503" -> {
                exist(server);
                if (takesBody(words)) yield withUnfinishedBodies(server, () -> server.write(words[0], path, "{}"));
                server.loseStore();
                yield server.write(words[0], known(words[1]), "");
            }
            case "422" -> server.write(words[0], path, "{\"surprise\": 1}");
            case "200", "204" -> {
                exist(server);
                yield server.write(words[0], known(words[1]), words[0].equals("PUT") ? body(path) : "");
            }
            default -> throw new AssertionError("no recipe for " + promise);
        };
    }

    private static boolean takesBody(String[] promise) {
        if (promise[0].equals("PUT")) return true;
        return promise[0].equals("POST")
                && List.of(
                                "/apis",
                                "/policy-sets",
                                "/plans",
                                "/secrets",
                                "/changes",
                                "/keys",
                                "/validate",
                                "/explain",
                                "/cache/purge")
                        .contains(promise[1]);
    }

    private static String known(String path) {
        return path.replace("{id}", path.startsWith("/keys") ? "k1" : "orders")
                .replace("{n}", path.endsWith("}") ? "1" : "0")
                .replace("{name}", "ROOT");
    }

    private static String body(String path) {
        return path.startsWith("/loggers") ? "{\"level\": \"warn\"}" : "{}";
    }

    /// Begins more bodies than are held at a time, calls, and lets go of them.
    private static HttpResponse<String> withUnfinishedBodies(AdminServer server, Supplier<HttpResponse<String>> call) {
        var sockets = new ArrayList<Socket>();
        String head = "POST /admin/v1/validate HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + AdminServer.TOKEN
                + "\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{";
        try {
            HttpResponse<String> answer = call.get();
            for (int i = 0; answer.statusCode() != 503 && i < MOST_CALLS; i++) { // another thread accepts them
                if (sockets.size() < MOST_BODIES) {
                    Socket socket = server.connect();
                    sockets.add(socket);
                    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
                }
                answer = call.get();
            }
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            sockets.forEach(OpenApiTest::close);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void exist(AdminServer server) {
        server.post("/apis", GOOD_API);
        server.post("/keys", GOOD_KEY);
        server.post("/policy-sets", GOOD_SET);
        server.post("/secrets", GOOD_SECRET);
        server.post("/plans", GOOD_PLAN);
        server.put("/resources/orders", "{\"type\": \"object\"}");
        server.put("/global", "{}");
    }

    private static Map<String, Function<AdminServer, HttpResponse<String>>> recipes() {
        var recipes = new HashMap<String, Function<AdminServer, HttpResponse<String>>>();
        recipes.put("POST /apis 201", server -> server.post("/apis", GOOD_API));
        recipes.put("POST /apis 409", server -> {
            exist(server);
            return server.post("/apis", GOOD_API);
        });
        recipes.put("PUT /apis/{id} 200", server -> {
            exist(server);
            return server.put("/apis/orders", definition("orders", "/o2"));
        });
        recipes.put("PUT /apis/{id} 201", server -> server.put("/apis/orders", GOOD_API));
        recipes.put("PUT /apis/{id} 409", server -> {
            exist(server);
            return server.put("/apis/sales", definition("sales", "/orders"));
        });
        recipes.put("POST /policy-sets 201", server -> server.post("/policy-sets", GOOD_SET));
        recipes.put("POST /policy-sets 409", server -> {
            exist(server);
            return server.post("/policy-sets", GOOD_SET);
        });
        recipes.put("PUT /policy-sets/{id} 201", server -> server.put("/policy-sets/orders", GOOD_SET));
        recipes.put("PUT /policy-sets/{id} 409", server -> {
            server.store.getBusy();
            return server.put("/policy-sets/orders", GOOD_SET);
        });
        recipes.put("DELETE /policy-sets/{id} 409", server -> {
            exist(server);
            server.put("/apis/orders", "{" + USING + GOOD_API.substring(1));
            return server.delete("/policy-sets/orders");
        });
        recipes.put("PUT /resources/{id} 201", server -> server.put("/resources/orders", "{}"));
        recipes.put("PUT /resources/{id} 422", server -> server.put("/resources/.hidden", "{}"));
        recipes.put("PUT /resources/{id} 409", server -> {
            server.store.getBusy();
            return server.put("/resources/orders", "{}");
        });
        recipes.put("DELETE /resources/{id} 409", server -> {
            exist(server);
            server.put(
                    "/apis/orders",
                    "{\"policies\": [{\"type\": \"mock-response\", \"body\": {\"resource\": \"orders\"}}], "
                            + GOOD_API.substring(1));
            return server.delete("/resources/orders");
        });
        recipes.put("GET /global 404", server -> server.get("/global"));
        recipes.put("DELETE /global 404", server -> server.delete("/global"));
        recipes.put("PUT /global 201", server -> server.put("/global", "{}"));
        recipes.put("PUT /global 409", server -> {
            server.store.getBusy();
            return server.put("/global", "{}");
        });
        recipes.put("DELETE /global 409", server -> {
            exist(server);
            server.store.getBusy();
            return server.delete("/global");
        });
        recipes.put("POST /plans 201", server -> server.post("/plans", GOOD_PLAN));
        recipes.put("POST /plans 409", server -> {
            exist(server);
            return server.post("/plans", GOOD_PLAN);
        });
        recipes.put("PUT /plans/{id} 201", server -> server.put("/plans/orders", GOOD_PLAN));
        recipes.put("PUT /plans/{id} 409", server -> {
            server.store.getBusy();
            return server.put("/plans/orders", GOOD_PLAN);
        });
        recipes.put("DELETE /plans/{id} 409", server -> {
            exist(server);
            server.put("/keys/k1", "{\"plan\": \"orders\"}");
            return server.delete("/plans/orders");
        });
        recipes.put("POST /secrets 201", server -> server.post("/secrets", GOOD_SECRET));
        recipes.put("POST /secrets 409", server -> {
            exist(server);
            return server.post("/secrets", GOOD_SECRET);
        });
        recipes.put("PUT /secrets/{id} 200", server -> {
            exist(server);
            return server.put("/secrets/orders", "{\"value\": \"another\"}");
        });
        recipes.put("PUT /secrets/{id} 201", server -> server.put("/secrets/orders", GOOD_SECRET));
        recipes.put("PUT /secrets/{id} 409", server -> {
            server.store.getBusy();
            return server.put("/secrets/orders", GOOD_SECRET);
        });
        recipes.put("DELETE /secrets/{id} 409", server -> {
            exist(server);
            server.store.getBusy();
            return server.delete("/secrets/orders");
        });
        recipes.put("POST /secrets/rekey 409", server -> {
            server.sealWithThePreviousKey("orders");
            server.store.getBusy();
            return server.post("/secrets/rekey", "");
        });
        recipes.put("POST /secrets/rekey 503", server -> {
            server.sealWithThePreviousKey("orders");
            server.loseStore();
            return server.post("/secrets/rekey", "");
        });
        recipes.put("POST /cache/purge 200", server -> server.post("/cache/purge", "{\"prefix\": \"/\"}"));
        recipes.put("POST /changes 200", server -> server.post("/changes", PUT_API.formatted(GOOD_API)));
        recipes.put("POST /changes 404", server -> server.post("/changes", DELETE_API));
        recipes.put("POST /changes 409", server -> {
            exist(server);
            return server.post("/changes", PUT_API.formatted(definition("sales", "/orders")));
        });
        recipes.put("POST /changes 412", server -> {
            exist(server);
            return server.write("POST", "/changes", PUT_API.formatted(GOOD_API), "If-Match", "\"1\"");
        });
        recipes.put("POST /validate 404", server -> server.post("/validate", DELETE_API));
        for (String operation : List.of(
                "PUT /apis/{id}",
                "DELETE /apis/{id}",
                "PUT /policy-sets/{id}",
                "DELETE /policy-sets/{id}",
                "PUT /global",
                "DELETE /global",
                "PUT /plans/{id}",
                "DELETE /plans/{id}",
                "PUT /resources/{id}",
                "DELETE /resources/{id}",
                "PUT /secrets/{id}",
                "DELETE /secrets/{id}",
                "PUT /keys/{id}",
                "DELETE /keys/{id}",
                "POST /keys/{id}/rotate",
                "POST /revisions/{n}/rollback")) {
            recipes.put(operation + " 412", server -> {
                exist(server);
                String path = operation
                        .split(" ", 2)[1]
                        .replace("{id}", operation.contains("keys") ? "k1" : "orders")
                        .replace("{n}", "0");
                return server.write(
                        operation.split(" ", 2)[0],
                        path,
                        !operation.startsWith("P") ? "" : operation.contains("secrets") ? GOOD_SECRET : "{}",
                        "If-Match",
                        "\"stale\"");
            });
        }
        recipes.put("DELETE /apis/{id} 409", server -> {
            exist(server);
            server.store.getBusy();
            return server.delete("/apis/orders");
        });
        recipes.put("POST /revisions/{n}/rollback 409", server -> {
            exist(server);
            server.store.getBusy();
            return server.write("POST", "/revisions/0/rollback", "");
        });
        recipes.put("POST /keys 201", server -> server.post("/keys", GOOD_KEY));
        recipes.put("POST /keys 409", server -> {
            exist(server);
            return server.post("/keys", GOOD_KEY);
        });
        recipes.put("GET /schemas/{name} 200", server -> server.get("/schemas/apis"));
        recipes.put("POST /explain 200", server -> server.post("/explain", "{\"path\": \"/orders\"}"));
        recipes.put("POST /validate 200", server -> server.post("/validate", GOOD_API));
        recipes.put("POST /validate 409", server -> {
            exist(server);
            return server.post("/validate", definition("sales", "/orders"));
        });
        recipes.put("POST /revisions/{n}/rollback 422", server -> {
            server.store.writeElsewhere("bad", "{\"id\": \"bad\"}");
            server.store.writeElsewhere("bad", definition("bad", "/bad"));
            server.write("POST", "/reload", "");
            return server.write("POST", "/revisions/1/rollback", "");
        });
        recipes.put("POST /reload 422", server -> {
            server.store.writeElsewhere("bad", "{\"id\": \"bad\"}");
            return server.write("POST", "/reload", "");
        });
        return recipes;
    }
}
