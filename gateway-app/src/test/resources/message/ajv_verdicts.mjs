// Whether each instance holds, by the schema of its case: a line each, "true" or "false".
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

const cases = JSON.parse(readFileSync(0, 'utf8'));
for (const { schema, instances } of cases) {
  const options = { strict: false, validateFormats: false };
  const ajv = schema.$schema.includes('draft-07') ? new Ajv(options) : new Ajv2020(options);
  const validate = ajv.compile(schema);
  for (const instance of instances) console.log(validate(instance));
}
