/**
 * Ends a test file when it has nothing left to do. Node.js 20 by itself then cleans its environment up, and now and then turns in that for
 * ever, with a whole core (nodejs/node#47748; seen with cluster tests on a busy machine, in `Environment::CleanupHandles`). `process.exit`
 * leaves that out. The exit code is what the tests have set.
 */
const A_MOMENT_MS = 20

let isSecondTime = false
process.on('beforeExit', () => {
  if (isSecondTime) process.exit()
  // node:test has the same event to report what never ended.
  isSecondTime = true
  setTimeout(() => {}, A_MOMENT_MS)
})
