/** Menus that the network does not take, sent as texts instead where their callers asked for it. */
import { LRUCache } from 'lru-cache'
import type { InstanceId, MessageId } from '../../schemas/ids.js'
import { causeOfFailure } from '../network/disconnects.js'
import type { Connection } from '../network/port/connection.js'
import type { InstanceJournal, InstanceReader } from './ports.js'
import { readAgain } from './read-again.js'
import type { Relays } from './relays.js'

export interface FallbacksOptions {
  readonly instance: InstanceId
  readonly journal: InstanceJournal
  readonly reader: InstanceReader
  readonly relays: Relays
  /** The open connection. @throws GatewayError INSTANCE_NOT_CONNECTED, INSTANCE_MOVING */
  readonly connection: (waitMs: number) => Promise<Connection>
}

/** What a caller who still waits is told of a menu that became a text. */
interface Replacement {
  readonly fields: Readonly<Record<string, unknown>>
  readonly warning: string
}

/** The network did not like the form of a message: 405 and 479 in whatsmeow PR 1235, 473 where payments are refused. */
const FORM_REFUSED: ReadonlySet<number> = new Set([405, 473, 479])
const TOLD_MAX = 1_000

/** How the row of a message keeps the encoded one that may be sent in its place. */
export function fallbackRequest(proto: Uint8Array): { readonly fallback: string } {
  return { fallback: Buffer.from(proto).toString('base64') }
}

/**
 * The text goes out under the id of the menu, of which nobody has seen anything, and its row becomes that of the text. It is found in the
 * row, so that whichever node hears of the refusal sends it.
 */
export class Fallbacks {
  readonly #options: FallbacksOptions
  /** What was sent as a text already: a refusal of that one is the end. */
  readonly #sent = new LRUCache<MessageId, Replacement>({ max: TOLD_MAX })

  constructor(options: FallbacksOptions) {
    this.#options = options
  }

  mayHelp(error: number): boolean {
    return FORM_REFUSED.has(error)
  }

  /** Sends the text in place of what was refused; false when there is none, or it cannot be sent. */
  async send(messageid: MessageId, error: number): Promise<boolean> {
    const { instance, journal, reader, relays, connection } = this.#options
    if (this.#sent.has(messageid)) return false
    const rows = await readAgain(
      () => reader.messagesById(instance, [messageid]),
      () => true,
    ).catch((error: unknown) => {
      // The next connection relays the menu again and hears of the same refusal.
      void connection(0).then(
        (live) => live.destroy(causeOfFailure(error)),
        () => {},
      )
      return null
    })
    if (rows === null) return true
    const row = rows.find(({ fromMe }) => fromMe)
    const proto = protoOf(row?.queuedRequest)
    if (row?.status !== 'pending' || proto === null) return false
    const live = await connection(0).catch(() => null)
    // The next connection relays the menu again and hears of the same refusal.
    if (live === null) return true
    const message = live.messages.recall(proto)
    const { text, content } = message
    const fields = { text, content, messageType: 'text', type: 'text', convertOptions: '' }
    this.#sent.set(messageid, {
      fields,
      warning: `The network refused the menu (${error}); it was sent as a text with numbered choices.`,
    })
    const stored = journal.write([
      {
        type: 'message.update',
        messageids: [messageid],
        fromMe: true,
        set: { ...fields, proto },
        announce: { type: 'Fallback', state: 'Pending', event: { IsFromMe: true, provider_code: error, Text: text } },
      },
    ])
    stored.catch((error: unknown) => {
      // The row is still that of the menu, which the next connection relays again.
      this.#sent.delete(messageid)
      live.destroy(causeOfFailure(error))
    })
    await relays.sendInstead(live, { messageid, chat: row.chat, message, stored })
    return true
  }

  /** What a message became, told once. */
  taken(messageid: MessageId): Replacement | undefined {
    return this.#sent.get(messageid)
  }
}

function protoOf(request: unknown): Uint8Array | null {
  const fallback = (request as { fallback?: unknown } | null | undefined)?.fallback
  return typeof fallback === 'string' ? Buffer.from(fallback, 'base64') : null
}
