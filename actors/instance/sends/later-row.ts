/** The row of a send that leaves later than its caller waits. Errors are reported while the caller is there. */
import { GatewayError } from '../../../schemas/errors.js'
import type { ChatAddress } from '../../../schemas/jid.js'
import type { SendContent } from '../../../schemas/send-content.js'
import type { SendCommand } from '../../../schemas/send-request.js'
import type { NewMessage } from '../../../schemas/stored-fields.js'
import type { SendsContext } from './context.js'
import { reactedMessage, withMessageIds } from './named-messages.js'
import { newRow } from './rows.js'
import { fillContent } from './send-content.js'

export interface LaterRow {
  readonly row: NewMessage
  /** Command that is sent later. */
  readonly request: SendCommand
  readonly warnings: readonly string[]
}

/**
 * Makes the row of a send that leaves later. The message that it reacts to may be gone when it leaves.
 * @param both the chat with all addresses that are known of it
 * @throws GatewayError MESSAGE_NOT_FOUND, OWN_MESSAGE, MESSAGE_TOO_OLD
 */
export async function laterRow(
  context: SendsContext,
  command: SendCommand,
  chat: ChatAddress,
  both: ChatAddress,
): Promise<LaterRow> {
  const { id, reader, account } = context
  const { command: named, warnings } = await withMessageIds(context, command)
  if (named.content.kind === 'reaction') await reactedMessage(context, named.content.id, both)
  const row = newRow(named, chat, 'queued', account.own ?? (await reader.owner(id)))
  return { row, request: { ...named, options: { ...named.options, async: false } }, warnings }
}

/** Returns warnings about unknown placeholders, while the caller can still read them. The texts are filled when the message leaves. */
export async function placeholderWarnings(
  { reader, id }: Pick<SendsContext, 'id' | 'reader'>,
  content: SendContent,
  chat: ChatAddress,
): Promise<readonly string[]> {
  if (content.kind === 'reaction' || content.kind === 'forward' || content.kind === 'vote') return []
  try {
    return (await fillContent(content, () => reader.placeholderValues(id, chat))).warnings
  } catch (error) {
    // The present values make the menu invalid. They may have changed when it leaves.
    if (error instanceof GatewayError) return []
    throw error
  }
}
