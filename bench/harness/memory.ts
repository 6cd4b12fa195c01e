/** Loaded into a measured process before its program (`--expose-gc --import`): told SIGUSR2, it collects and prints what is left. */
import { setTimeout as wait } from 'node:timers/promises'

export interface Memory {
  readonly rss: number
  readonly heapUsed: number
  readonly external: number
}

process.on('SIGUSR2', () => {
  void collect().then(() => {
    const { rss, heapUsed, external } = process.memoryUsage()
    process.stdout.write(`${JSON.stringify({ memory: { rss, heapUsed, external } satisfies Memory })}\n`)
  })
})

/** Several times: what a collection frees may be all that held something else, and pages go back to the system a moment later. */
async function collect(): Promise<void> {
  for (let times = 0; times < 5; times += 1) {
    globalThis.gc?.()
    await wait(200)
  }
}
