/** A process that loads libraries and does nothing: the floor below a gateway. `LIBRARIES` names them; `thread` starts an empty thread. */
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

for (const name of (process.env.LIBRARIES ?? '').split(' ').filter(Boolean)) {
  if (name === 'thread') new Worker('setInterval(() => {}, 60_000)', { eval: true })
  else await import(name)
}
setInterval(() => {}, 60_000)
await wait(1_000)
process.stdout.write('ready\n')
