import { errorText } from '../../lib/error-text.js'
import type { NewMessage } from '../../schemas/stored-fields.js'
import type { Change } from '../instance/ports.js'
import type { SendsContext } from '../instance/sends/context.js'

/**
 * Recognizes messages that may be replies to a campaign. The change is written together with the message, so that no crash loses it; the store
 * decides whether the person got a message of a campaign lately. An instance that sent none asks the store nothing.
 */
export class Replies {
  readonly #context: Pick<SendsContext, 'id' | 'reader' | 'logger'>
  /** Null: not known yet, so the store is asked. */
  #isAwaited: boolean | null = null

  constructor(context: Pick<SendsContext, 'id' | 'reader' | 'logger'>) {
    this.#context = context
  }

  /** Looks whether campaigns have sent something lately, unless that is known. */
  opened(): void {
    if (this.#isAwaited !== null) return
    const { id, reader, logger } = this.#context
    reader.awaitsReplies(id).then(
      (isAwaited) => {
        this.#isAwaited ??= isAwaited
      },
      (error: unknown) => logger.debug({ error: errorText(error) }, 'The campaigns with open replies were not read.'),
    )
  }

  /** Notes that a campaign is about to send. */
  await(): void {
    this.#isAwaited = true
  }

  /** Returns the changes of a received message. */
  listChanges({ fromMe, isGroup, chat, messageid, messageTimestampMs }: NewMessage): readonly Change[] {
    if (this.#isAwaited === false || fromMe || isGroup || chat.group !== undefined) return []
    return [{ type: 'campaign.reply', chat, messageid, sentAtMs: messageTimestampMs }]
  }
}
