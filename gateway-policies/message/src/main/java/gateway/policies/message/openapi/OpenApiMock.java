package gateway.policies.message.openapi;

import com.google.auto.service.AutoService;
import gateway.json.ConfigNode;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;

/// Answers as an OpenAPI document says that its operations may, in place of the upstream.
public record OpenApiMock(OpenApiSource document, BasePath basePath) implements PolicySpec {
    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        return new MockedApi(document.operations(new OpenApiSource.Want(false, true), services), basePath);
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        @Override
        public String name() {
            return "openapi-mock";
        }

        @Override
        public Stage stage() {
            return Stage.CACHE;
        }

        @Override
        public OpenApiMock read(ConfigNode node) {
            return new OpenApiMock(OpenApiSource.read(node), BasePath.read(node));
        }
    }
}
