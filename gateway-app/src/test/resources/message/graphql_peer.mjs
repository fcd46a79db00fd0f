// Two uses of graphql-js, the implementation that the specification is kept with.
// `documents SEED COUNT`: documents by its own printer, each followed by a broken one, with its verdict on both.
// `serve`: a server of a small schema, which says with each answer how many documents have come so far.
import {createServer} from 'node:http';
import {
  buildSchema, graphql, parse, print, validate, ExecutableDefinitionsRule, KnownFragmentNamesRule,
  LoneAnonymousOperationRule, NoFragmentCyclesRule, NoUnusedFragmentsRule, UniqueFragmentNamesRule,
  UniqueOperationNamesRule,
} from 'graphql';

const RULES = [ // those that need no schema
  ExecutableDefinitionsRule, KnownFragmentNamesRule, LoneAnonymousOperationRule, NoFragmentCyclesRule,
  NoUnusedFragmentsRule, UniqueFragmentNamesRule, UniqueOperationNamesRule,
];
const SCHEMA = buildSchema(`
  type User { name: String friends(first: Int): [User] }
  type Query { user(id: ID): User users(first: Int): [User] }
  type Mutation { rename(id: ID, name: String): User }`);

let state = 0;
function random(below) { // mulberry32
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) % below;
}
const pick = (all) => all[random(all.length)];
const name = (all = ['a', 'b', '_c9', 'on1', 'type', 'query', 'fragment', 'true1', 'input', 'd', 'schema']) =>
  ({kind: 'Name', value: pick(all)});
const few = (most, make) => Array.from({length: random(most + 1)}, make);

function value(depth, fixed) {
  switch (random(depth > 2 ? 7 : 10)) {
    case 0: return {kind: 'IntValue', value: pick(['0', '-1', '17', '2147483648', '-0'])};
    case 1: return {kind: 'FloatValue', value: pick(['1.5', '-0.0', '6.02e23', '1E-7', '0e+1'])};
    case 2: return {kind: 'StringValue', block: false, value: pick(['', 'x', '{"#', '\\"', '\n\t\u0000', 'ü€😀', '"""'])};
    case 3: return {kind: 'StringValue', block: true, value: pick(['', 'x', '  {\n  }', 'a"""b', '\\', '# no', '"'])};
    case 4: return {kind: 'BooleanValue', value: random(2) === 0};
    case 5: return {kind: 'NullValue'};
    case 6: return fixed ? {kind: 'EnumValue', value: 'RED'} : {kind: 'Variable', name: name()};
    case 7: return {kind: 'ListValue', values: few(3, () => value(depth + 1, fixed))};
    case 8: return {kind: 'ObjectValue', fields: few(3, () => ({kind: 'ObjectField', name: name(), value: value(depth + 1, fixed)}))};
    default: return {kind: 'EnumValue', value: 'on'};
  }
}
const argument = () => ({kind: 'Argument', name: name(), value: value(0, false)});
const directives = (fixed) => random(4) > 0 ? [] : [{
  kind: 'Directive', name: name(['skip', 'on', 'x']),
  arguments: few(2, () => ({kind: 'Argument', name: name(), value: value(0, fixed)})),
}];
const condition = () => ({kind: 'NamedType', name: name(['T', 'Query', 'on_'])});

function selections(depth, fragments) {
  const make = () => {
    const kind = random(8);
    if (kind === 0 && fragments.length > 0)
      return {kind: 'FragmentSpread', name: name(fragments), directives: directives()};
    if (kind === 1 && depth < 4)
      return {kind: 'InlineFragment', typeCondition: random(2) ? condition() : undefined, directives: directives(),
        selectionSet: selections(depth + 1, fragments)};
    return {kind: 'Field', alias: random(5) ? undefined : name(), name: name(), arguments: few(2, argument),
      directives: directives(), selectionSet: depth < 4 && random(3) === 0 ? selections(depth + 1, fragments) : undefined};
  };
  return {kind: 'SelectionSet', selections: [make(), ...few(3, make)]};
}

function type(depth) {
  const inner = depth < 2 && random(3) === 0 ? {kind: 'ListType', type: type(depth + 1)} : condition();
  return random(3) ? inner : {kind: 'NonNullType', type: inner};
}

function document() {
  const fragments = ['f', 'g', 'h'].slice(0, random(4));
  const anonymous = random(3) === 0;
  const operations = Array.from({length: anonymous ? 1 : 1 + random(2)}, (_, i) => ({
    kind: 'OperationDefinition', operation: pick(['query', 'query', 'mutation', 'subscription']),
    name: anonymous ? undefined : {kind: 'Name', value: 'Q' + i},
    variableDefinitions: anonymous && random(2) ? [] : few(2, () => ({
      kind: 'VariableDefinition', variable: {kind: 'Variable', name: name()}, type: type(0),
      defaultValue: random(2) ? value(0, true) : undefined, directives: directives(true)})),
    directives: directives(), selectionSet: selections(0, fragments),
  }));
  const definitions = fragments.map((each, i) => ({
    kind: 'FragmentDefinition', name: {kind: 'Name', value: each}, typeCondition: condition(),
    directives: directives(), selectionSet: selections(2, random(6) ? fragments.slice(i + 1) : fragments),
  }));
  return print({kind: 'Document', definitions: [...operations, ...definitions]});
}

function broken(text) {
  const at = random(text.length);
  const other = pick([...'{}()[]:!$@"#.,|&=-019aé \\\n\ufeff\u0000', '...', '"""', '\\u{1F600}', '\\ud83d']);
  switch (random(3)) {
    case 0: return text.slice(0, at) + text.slice(at + 1);
    case 1: return text.slice(0, at) + other + text.slice(at);
    default: return text.slice(0, at) + other + text.slice(at + 1);
  }
}

// Fields, those of fragments wherever they are used, and how deep they stand.
function counts(parsed) {
  const fragments = Object.fromEntries(
      parsed.definitions.filter((each) => each.kind === 'FragmentDefinition').map((each) => [each.name.value, each]));
  let fields = 0;
  let deepest = 0;
  const walk = (set, depth) => {
    for (const each of set.selections) {
      if (each.kind === 'FragmentSpread') walk(fragments[each.name.value].selectionSet, depth);
      else if (each.kind === 'InlineFragment') walk(each.selectionSet, depth);
      else {
        fields++;
        deepest = Math.max(deepest, depth);
        if (each.selectionSet) walk(each.selectionSet, depth + 1);
      }
    }
  };
  for (const each of parsed.definitions) if (each.kind === 'OperationDefinition') walk(each.selectionSet, 1);
  return {fields, depth: deepest};
}

function verdict(query) {
  try {
    const parsed = parse(query);
    if (validate(SCHEMA, parsed, RULES).length > 0) return {query, good: false};
    const operation = parsed.definitions.find((each) => each.kind === 'OperationDefinition');
    return {query, good: true, operation: operation?.name?.value, ...counts(parsed)};
  } catch (e) {
    return {query, good: false};
  }
}

const user = (id) => ({
  name: 'u' + id,
  friends: ({first}) => Array.from({length: Math.min(first ?? 1, 100)}, (_, i) => user(id + '.' + i)),
});
const ROOT = {
  user: ({id}) => user(id),
  users: ({first}) => Array.from({length: Math.min(first ?? 1, 100)}, (_, i) => user(i)),
  rename: ({id, name: other}) => ({...user(id), name: other}),
};

async function answer(request, body) {
  const url = new URL(request.url, 'http://a');
  const asked = request.method === 'GET' ? Object.fromEntries(url.searchParams) : JSON.parse(body);
  const one = (each) => graphql({
    schema: SCHEMA, rootValue: ROOT, source: each.query, operationName: each.operationName,
    variableValues: typeof each.variables === 'string' ? JSON.parse(each.variables) : each.variables,
  });
  return Array.isArray(asked) ? Promise.all(asked.map(one)) : one(asked);
}

if (process.argv[2] === 'serve') {
  let arrived = 0;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    response.setHeader('X-Arrived', ++arrived);
    response.setHeader('Content-Type', 'application/json');
    try {
      response.end(JSON.stringify(await answer(request, body)));
    } catch (e) {
      response.statusCode = 400;
      response.end(JSON.stringify({errors: [{message: String(e.message)}]}));
    }
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
  process.stdin.on('end', () => process.exit(0)).resume();
} else {
  state = Number(process.argv[3]);
  for (let i = 0; i < Number(process.argv[4]); i++) {
    const query = document();
    console.log(JSON.stringify(verdict(query)));
    console.log(JSON.stringify(verdict(broken(query))));
  }
}
