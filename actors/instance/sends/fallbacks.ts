/** Sends menus that the network refuses as texts instead, if their callers asked for it. */
import type { MessageId } from '../../../schemas/ids.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import { causeOfFailure } from '../../network/disconnects.js'
import type { OutgoingMessage } from '../../network/port/messages.js'
import { readAgain } from '../read-again.js'
import { RecentMap } from '../recent-map.js'
import type { SendsContext } from './context.js'
import type { Relays } from './relays.js'

type FallbacksContext = Pick<SendsContext, 'id' | 'journal' | 'reader' | 'connection'>

/** Tells a caller who still waits that a menu became a text. */
interface Replacement {
  readonly fields: Readonly<Record<string, unknown>>
  readonly warning: string
}

/** Codes by which the network refuses the form of a message: 405 and 479 in whatsmeow PR 1235, 473 where payments are refused. */
const FORM_REFUSED: ReadonlySet<number> = new Set([405, 473, 479])
const REMEMBERED_MAX = 1_000

/** Returns the form in which the row of a message keeps the encoded one that may be sent in its place. */
export function fallbackRequest(proto: Uint8Array): { readonly fallback: string } {
  return { fallback: Buffer.from(proto).toString('base64') }
}

/**
 * Sends the text under the id of the menu, which nobody has seen, and turns its row into that of the text. The text is kept in the row,
 * so that any node that receives the refusal can send it.
 */
export class Fallbacks {
  readonly #context: FallbacksContext
  readonly #relays: Relays
  /** Messages that were sent as a text already. A refusal of the text is final. */
  readonly #sent = new RecentMap<MessageId, Replacement>(REMEMBERED_MAX)

  constructor(context: FallbacksContext, relays: Relays) {
    this.#context = context
    this.#relays = relays
  }

  mayHelp(error: number): boolean {
    return FORM_REFUSED.has(error)
  }

  /** Sends the text in place of the refused message. Returns false if there is none, or if it cannot be sent. */
  async send(messageid: MessageId, error: number): Promise<boolean> {
    const { connection } = this.#context
    if (this.#sent.has(messageid)) return false
    const rows = await this.#readRows(messageid)
    if (rows === null) return true
    const row = rows.find(({ fromMe }) => fromMe)
    const proto = readFallback(row?.queuedRequest)
    if (row?.status !== 'pending' || proto === null) return false
    const live = await connection(0).catch(() => null)
    // The next connection relays the menu again and receives the same refusal.
    if (live === null) return true
    const message = live.messages.recall(proto)
    const stored = this.#store(messageid, message, proto, error)
    stored.catch((failure: unknown) => {
      // The row is still that of the menu, which the next connection relays again.
      this.#sent.delete(messageid)
      live.destroy(causeOfFailure(failure))
    })
    await this.#relays.relayInstead(live, { messageid, chat: row.chat, message }, stored)
    return true
  }

  /** Returns the text that replaced a message, if one did. */
  findReplacement(messageid: MessageId): Replacement | undefined {
    return this.#sent.get(messageid)
  }

  /** Returns null if the rows cannot be read. Then the connection ends, and the next one receives the same refusal. */
  async #readRows(messageid: MessageId): Promise<readonly MessageForActor[] | null> {
    const { id, reader, connection } = this.#context
    return await readAgain(
      () => reader.messagesById(id, [messageid]),
      () => true,
    ).catch((error: unknown) => {
      void connection(0).then(
        (live) => live.destroy(causeOfFailure(error)),
        () => {},
      )
      return null
    })
  }

  #store(messageid: MessageId, { text, content }: OutgoingMessage, proto: Uint8Array, error: number): Promise<unknown> {
    const fields = { text, content, messageType: 'text', type: 'text', convertOptions: '' }
    this.#sent.set(messageid, {
      fields,
      warning: `WhatsApp refused the menu (${error}); it was sent as a text with numbered choices.`,
    })
    return this.#context.journal.write([
      {
        type: 'message.update',
        messageids: [messageid],
        fromMe: true,
        set: { ...fields, proto },
        announce: { type: 'Fallback', state: 'Pending', event: { IsFromMe: true, provider_code: error, Text: text } },
      },
    ])
  }
}

function readFallback(request: unknown): Uint8Array | null {
  const fallback = (request as { fallback?: unknown } | null | undefined)?.fallback
  return typeof fallback === 'string' ? Buffer.from(fallback, 'base64') : null
}
