import type { Json } from './calls.js'

export interface DemoPhone {
  readonly number: string
  readonly name: string
}

export interface ShownText {
  readonly id: string
  readonly text: string
  /** True: it was written by this account, on the phone or through the gateway. */
  readonly own: boolean
  readonly atMs: number
}

export interface DemoPhones {
  list(): Promise<readonly (DemoPhone & { readonly messages: readonly ShownText[] })[]>
  /** Writes on a phone. @throws Error if it is none of the demo, or the network refuses */
  write(from: string, to: string, text: string): Promise<{ readonly id: string }>
  /**
   * Scans a QR with a phone, or types a code on it. `retired`: the network wants another QR, which the gateway shows soon.
   * @throws Error as `write`
   */
  link(number: string, shown: { readonly qr: unknown; readonly code: unknown }): Promise<{ readonly status: string }>
}

/** Messages of a phone that are shown. */
const SHOWN_MAX = 8

/** The phones of the demo, as the control of the simulated network has them. It does not tell when a phone wrote, so that this does. */
export function createDemoPhones(controlUrl: string, phones: readonly DemoPhone[]): DemoPhones {
  const typed = new Map<string, ShownText[]>(phones.map(({ number }) => [number, []]))

  async function listMessages(number: string): Promise<readonly ShownText[]> {
    const answer = await fetch(`${controlUrl}/phones/${number}/messages`)
    const came = ((await answer.json()) as Json[]).map(({ id, text, kind, own, atMs }) => ({
      id: String(id),
      text: String(text || kind),
      own: own === true,
      atMs: Number(atMs),
    }))
    return [...came, ...(typed.get(number) ?? [])].sort((a, b) => a.atMs - b.atMs).slice(-SHOWN_MAX)
  }

  return {
    list: () => Promise.all(phones.map(async (phone) => ({ ...phone, messages: await listMessages(phone.number) }))),
    async write(from, to, text) {
      const own = typed.get(from)
      if (own === undefined || !typed.has(to)) throw new Error('The demo has no such phone.')
      const answer = await fetch(`${controlUrl}/phones/${from}/text`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ to, text }),
      })
      const { id, error } = (await answer.json()) as { id?: string; error?: string }
      if (!answer.ok || id === undefined) throw new Error(error ?? 'The simulated network refused the message.')
      own.push({ id, text, own: true, atMs: Date.now() })
      if (own.length > SHOWN_MAX) own.shift()
      return { id }
    },
    async link(number, { qr, code }) {
      if (!typed.has(number)) throw new Error('The demo has no such phone.')
      const [action, body] = typeof code === 'string' && code !== '' ? ['code', { code }] : ['scan', { qr: String(qr) }]
      const answer = await fetch(`${controlUrl}/phones/${number}/${action}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const { status = 'paired', error } = (await answer.json()) as { status?: string; error?: string }
      if (!answer.ok) throw new Error(error ?? 'The simulated network refused the code.')
      return { status }
    },
  }
}
