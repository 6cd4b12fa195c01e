/**
 * Where the CPU of a gateway's main thread goes: `npm run bench -- profile MODE PACE [texts] [depth]`, with the modes of `bench/system.ts`. The
 * program runs as it is compiled, not as one file, so that libraries can be told apart. The thread is sampled: shares count, not milliseconds.
 */
import { computeShares, profile } from './harness/cpu-profile.js'
import { inspectedPort, openInspector } from './harness/inspector.js'
import { runBench } from './harness/processes.js'
import { say, table } from './harness/report.js'
import { sceneKinds } from './harness/scenes.js'
import { startSystem } from './harness/system.js'

const SHOWN = 40
const [mode = 'warm', paceText = '50', textsText, depthText = '4'] = process.argv.slice(2)
const pace = paceText === 'flood' ? null : Number(paceText)

await runBench(async () => {
  const kind = sceneKinds(1)[mode]
  if (kind === undefined) throw new Error(`There is no mode ${mode}.`)
  const texts = kind.isFirst ? kind.texts : Number(textsText ?? kind.texts)
  const { port, env } = await inspectedPort()
  const system = await startSystem({ program: 'runtime/node-process.js', env })
  const scene = await kind.make(system)
  await scene.gateway(kind.warmUp, null)
  await scene.prepare?.('gateway', texts, pace)
  const taken = await profile(await openInspector(port), async () => {
    await scene.gateway(texts, pace)
    await system.network.settled()
  })
  const { busyMs, byCode, byOwner, byFunction } = computeShares(taken, Number(depthText))
  say(`${texts} texts ${kind.says}, ${pace ?? 'flood'} a second: ${(busyMs / texts).toFixed(2)} ms each.`, '')
  const parts = [
    ['a part of ours, with what it calls', byOwner],
    ['whose own code runs', byCode],
    ['function, without what it calls', byFunction],
  ] as const
  for (const [head, sums] of parts) {
    const rows = [...sums].toSorted((one, other) => other[1] - one[1]).slice(0, SHOWN)
    const cells = rows.map(([name, ms]) => [name, ((ms / busyMs) * 100).toFixed(1), ((ms / texts) * 1_000).toFixed(0)])
    say(table([head, '%', 'µs a text'], cells), '')
  }
  scene.close?.()
  await system.stop()
})
