import { turns } from '../../../schemas/turns.js'
import type { Guard } from '../../outgoing/guard.js'
import { codeOf } from '../connection-failure.js'
import { type DatabaseFacts, WEBHOOKS_MAX } from '../database-facts.js'
import { type Check, ok, type Result, skipped, warning } from '../finding.js'

const AT_ONCE = 100

/** Connects to the receivers of webhooks, through the guard, and sends nothing. Shows origins only: paths may hold secrets. */
export function webhooksCheck(facts: Promise<DatabaseFacts> | undefined, guard: Pick<Guard, 'connect'>): Check {
  return {
    name: 'Webhooks',
    async run() {
      const found = await facts?.catch(() => undefined)
      if (found === undefined) return [skipped('The webhooks are not known, because the database was not read.')]
      const origins = [...new Set(found.webhookUrls.flatMap((url) => (URL.canParse(url) ? [new URL(url).origin] : [])))]
      if (origins.length === 0) return [ok('No webhook is enabled.')]
      const inTurn = turns(AT_ONCE)
      const failures = await Promise.all(origins.map((origin) => inTurn(() => failureOf(origin, guard))))
      const lost = failures.filter((result) => result !== null)
      const limited = found.webhookUrls.length === WEBHOOKS_MAX ? ` (of the newest ${WEBHOOKS_MAX} webhooks)` : ''
      return [ok(`${origins.length - lost.length} of ${origins.length} receivers were reached${limited}.`), ...lost]
    },
  }
}

/** Returns null when the connection stands. */
function failureOf(origin: string, guard: Pick<Guard, 'connect'>): Promise<Result | null> {
  const { protocol, hostname, port, host } = new URL(origin)
  return new Promise((resolve) => {
    guard.connect({ protocol, hostname, port, host }, (error, socket) => {
      socket?.destroy()
      resolve(error === null ? null : warning(`${origin} was not reached: ${error.message}`, remedyFor(codeOf(error))))
    })
  })
}

function remedyFor(code: string): string {
  return code === 'ADDRESS_REFUSED'
    ? 'Receivers in your own network need ALLOW_PRIVATE_ADDRESSES=true.'
    : 'Start the receiver, or correct or disable its webhook; until then its events wait.'
}
