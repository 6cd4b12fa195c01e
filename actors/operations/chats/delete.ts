import { GatewayError } from '../../../schemas/errors.js'
import type { ChatAddress } from '../../../schemas/jid.js'
import { knownChat } from '../../instance/known-chat.js'
import { orUnknown } from '../../instance/outcome.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

interface DeleteChatFields {
  readonly number: string
  /** Deleted from the store: the messages, or the chat with its messages. */
  readonly stored: 'chat' | 'messages' | null
  /** Done on the devices of the account. A group is only cleared. */
  readonly shown: 'delete' | 'clear' | null
}

interface Outcome {
  /** One sentence for each thing that was done. */
  readonly actions: readonly string[]
  /** One sentence for each thing that failed. */
  readonly errors: readonly string[]
}

/**
 * Deletes or clears a chat. The devices come first, because a caller can ask again for what they did not delete.
 * @throws GatewayError when nothing was done
 */
export const deleteChat = operation('deleteChat', {
  // Messages that came after the first time would be deleted the second time.
  repeat: false,
  example: { actions: [], errors: [] },
  async run(context: InstanceContext, { number, stored, shown }: DeleteChatFields) {
    if (shown !== null) await context.connection()
    const { address: chat } = await knownChat(context.id, number, context.reader)
    const onDevices = shown === null ? nothing : await deleteOnDevices(context, chat, shown, stored === null)
    const inStore = stored === null ? nothing : await deleteInStore(context, chat, stored === 'chat')
    return {
      actions: [...onDevices.actions, ...inStore.actions],
      errors: [...onDevices.errors, ...inStore.errors],
    }
  },
})

const nothing: Outcome = { actions: [], errors: [] }

async function deleteOnDevices(
  context: InstanceContext,
  chat: ChatAddress,
  shown: 'delete' | 'clear',
  isAllThatWasAsked: boolean,
): Promise<Outcome> {
  const connection = await context.connection()
  const kind = shown === 'delete' && chat.group === undefined ? 'delete' : 'clear'
  const last = await context.reader.lastMessage(context.id, chat)
  try {
    await orUnknown(() => connection.settings.change({ kind, chat, last }))
    return { actions: [kind === 'delete' ? 'Chat deleted on the devices' : 'Chat cleared on the devices'], errors: [] }
  } catch (error) {
    if (isAllThatWasAsked || !(error instanceof GatewayError)) throw error
    return { actions: [], errors: [`The devices: ${error.message}`] }
  }
}

async function deleteInStore(
  { id, journal, reader }: InstanceContext,
  chat: ChatAddress,
  isDropped: boolean,
): Promise<Outcome> {
  const beforeMs = await reader.timeMs()
  do await journal.write([{ type: 'chat.remove', chat, beforeMs, isDropped }])
  while (await reader.hasMessages(id, chat, beforeMs))
  if (!isDropped) await journal.write([{ type: 'chat', chat, set: { wa_unreadCount: 0 }, announce: true, known: true }])
  const actions = ['Messages deleted from the store']
  if (!isDropped) return { actions, errors: [] }
  const isLeft = (await reader.chat(id, chat)) !== null
  return isLeft
    ? { actions, errors: ['The store: the chat has messages that came since, or wait to be sent'] }
    : { actions: [...actions, 'Chat deleted from the store'], errors: [] }
}
