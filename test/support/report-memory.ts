/** Preloaded into a gateway under test (`NODE_OPTIONS=--import …`): on SIGUSR2 it says what it holds, after a garbage collection. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

process.on('SIGUSR2', () => {
  collect()
  // Objects that only a finaliser releases are collected the second time.
  setTimeout(() => {
    collect()
    const resources: Record<string, number> = {}
    for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1
    const { heapUsed, rss, external } = process.memoryUsage()
    process.stdout.write(`${JSON.stringify({ memory: { heapUsed, rss, external }, resources })}\n`)
  }, 500)
})
