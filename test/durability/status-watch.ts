/** Watches whether an instance is reported as connected while the network has no connection of it. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Cleanup } from '../support/cleanup.js'
import type { TestInstance, World } from '../support/world.js'

export interface StatusWatch {
  /** How often instances were read, and how often one was wrongly reported as connected. */
  readonly looks: number
  readonly saidConnected: number
  readonly saidNotConnected: number
  /** Ends it; what it found untrue for longer than the tolerance, in words. */
  stop(): Promise<readonly string[]>
}

interface Login {
  readonly phoneNumber: string
  readonly deviceId: number
  readonly endedAtMs: number | null
}

/**
 * @param toleranceMs the end of a connection reaches the gateway later than the network's log
 */
export function watchStatus(
  t: Cleanup,
  world: World,
  instances: readonly TestInstance[],
  { toleranceMs = 1_000, everyMs = 100 } = {},
): StatusWatch {
  const untrue: string[] = []
  const wrongSinceMs = new Map<string, number>()
  const counts = { looks: 0, saidConnected: 0, saidNotConnected: 0 }
  let isStopped = false
  t.after(() => {
    isStopped = true
  })

  async function connectedNumbers(): Promise<Set<string>> {
    const logins = await world.network<Login[]>('GET', '/log/logins')
    return new Set(logins.filter(({ endedAtMs }) => endedAtMs === null).map(({ phoneNumber }) => phoneNumber))
  }

  async function look(): Promise<void> {
    const before = await connectedNumbers()
    const said = await Promise.all(instances.map((instance) => readStatus(instance)))
    const after = await connectedNumbers()
    const nowMs = performance.now()
    for (const [index, instance] of instances.entries()) {
      counts.looks += 1
      if (said[index] === true) counts.saidConnected += 1
      if (said[index] === false) counts.saidNotConnected += 1
      const isWrong = said[index] === true && !before.has(instance.number) && !after.has(instance.number)
      if (!isWrong) wrongSinceMs.delete(instance.number)
      const sinceMs = wrongSinceMs.get(instance.number)
      if (isWrong && sinceMs === undefined) wrongSinceMs.set(instance.number, nowMs)
      if (isWrong && sinceMs !== undefined && nowMs - sinceMs > toleranceMs)
        untrue.push(`${instance.number} is said to be connected, ${Math.round(nowMs - sinceMs)} ms after its end`)
    }
  }

  const watching = (async () => {
    while (!isStopped) {
      await look()
      await pause(everyMs)
    }
  })()
  watching.catch(() => {})

  return {
    get looks() {
      return counts.looks
    },
    get saidConnected() {
      return counts.saidConnected
    },
    get saidNotConnected() {
      return counts.saidNotConnected
    },
    async stop() {
      isStopped = true
      await watching
      return untrue
    },
  }
}

/** Undefined when it is not told, as while the store is away. */
async function readStatus(instance: TestInstance): Promise<boolean | undefined> {
  try {
    const { status, body } = await instance.call<{ status: { connected: boolean } }>('GET', '/instance/status')
    return status === 200 ? body.status.connected : undefined
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
