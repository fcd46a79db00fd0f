// Runs http-cache-tests through the cache at argv[2] and prints a line for each case: kind, id, `passed` or why not.
// Lies beside node_modules.
import fetch from './node_modules/node-fetch/lib/index.mjs'
import { getResults, runTests } from './node_modules/http-cache-tests/client/runner.mjs'
import suites from './node_modules/http-cache-tests/tests/index.mjs'

await runTests(suites, fetch, false, process.argv[2])
const results = getResults()
for (const suite of suites) {
  for (const test of suite.tests) {
    if (!(test.id in results)) continue // for browsers alone
    const said = results[test.id] === true ? 'passed' : String(results[test.id][1]).replace(/\s+/g, ' ')
    console.log(`${test.kind || 'required'} ${test.id} ${said}`)
  }
}
