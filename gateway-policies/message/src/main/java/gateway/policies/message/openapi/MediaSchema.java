package gateway.policies.message.openapi;

import gateway.policies.message.schema.CompiledSchema;

/// What content of one media type, or of a range of them, has to be.
///
/// @param form how it is read where it is a form, or a text
record MediaSchema(CompiledSchema schema, FormSchema form) {
    ValueShape shape() {
        return form.shape();
    }
}
