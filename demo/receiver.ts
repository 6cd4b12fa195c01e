import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface DemoEvent {
  readonly EventType: string
  readonly instanceName: string
  readonly sequence: number
  readonly eventId: string
  readonly message?: { readonly text?: string; readonly fromMe?: boolean; readonly senderName?: string }
  readonly instance?: { readonly status?: string }
  readonly state?: string
}

export interface DemoReceiver {
  readonly url: string
  /** The next event that fits, also one that came before. */
  next(what: string, fits: (event: DemoEvent) => boolean): Promise<DemoEvent>
  /** The secret of a webhook, so that signatures can be checked as a user would. */
  expectSecret(instanceName: string, secret: string): void
  /** Deliveries in the order of their arrival; repeats of an event included. */
  readonly events: readonly DemoEvent[]
  readonly counts: { received: number; badSignatures: number }
  /** @throws when a webhook had a wrong signature */
  checkSignatures(): void
  close(): void
}

const PATIENCE_MS = 60_000

/** The webhook receiver of a user: checks the signature, answers 200, keeps what came. */
export async function startReceiver(onEvent: (event: DemoEvent) => void): Promise<DemoReceiver> {
  const events: DemoEvent[] = []
  const watchers = new Set<() => void>()
  const secrets = new Map<string, string>()
  const counts = { received: 0, badSignatures: 0 }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString()
      const event = JSON.parse(body) as DemoEvent
      const secret = secrets.get(event.instanceName)
      if (secret !== undefined && request.headers['webhook-signature'] !== signature(secret, request.headers, body))
        counts.badSignatures += 1
      counts.received += 1
      events.push(event)
      onEvent(event)
      for (const watcher of [...watchers]) watcher()
      response.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    events,
    counts,
    checkSignatures() {
      if (counts.badSignatures > 0) throw new Error(`${counts.badSignatures} webhooks had a wrong signature.`)
    },
    expectSecret: (instanceName, secret) => secrets.set(instanceName, secret),
    next: (what, fits) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          watchers.delete(look)
          reject(new Error(`The webhook did not get ${what} within ${PATIENCE_MS / 1000} s.`))
        }, PATIENCE_MS)
        const look = (): void => {
          const found = events.find(fits)
          if (found === undefined) return
          clearTimeout(timer)
          watchers.delete(look)
          resolve(found)
        }
        watchers.add(look)
        look()
      }),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Standard Webhooks: HMAC-SHA256 over id, timestamp and body. */
function signature(secret: string, headers: NodeJS.Dict<string | string[]>, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}
