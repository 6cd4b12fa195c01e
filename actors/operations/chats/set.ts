import { type KnownChat, knownChat } from '../../instance/known-chat.js'
import { orUnknown } from '../../instance/outcome.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

export type RequestedSetting =
  | { readonly kind: 'archive' | 'pin'; readonly isSet: boolean }
  /** 0 ends the mute, -1 mutes for good. */
  | { readonly kind: 'mute'; readonly hours: number }

interface SetChatFields {
  readonly number: string
  readonly setting: RequestedSetting
}

const HOUR_MS = 3_600_000

/** Archives, pins or mutes a chat, or undoes that, on all devices. */
export const setChat = operation('setChat', {
  repeat: true,
  example: null,
  async run(context: InstanceContext, { number, setting }: SetChatFields) {
    // A call waits for the connection before it looks at the chat, as all operations do.
    await context.connection()
    const chat = await knownChat(context.id, number, context.reader)
    switch (setting.kind) {
      case 'archive':
        await archive(context, chat, setting.isSet)
        return null
      case 'pin':
        await pin(context, chat, setting.isSet)
        return null
      case 'mute':
        await mute(context, chat, setting.hours)
        return null
      default:
        return setting satisfies never
    }
  },
})

async function archive(context: InstanceContext, { address: chat, record }: KnownChat, isSet: boolean): Promise<void> {
  const connection = await context.connection()
  const last = await context.reader.lastMessage(context.id, chat)
  await orUnknown(() => connection.settings.change({ kind: 'archive', chat, isSet, last }))
  await context.journal.write([{ type: 'chat', chat, set: { wa_archived: isSet }, announce: true }])
  // Archiving unpins a chat, as on phones (`BuildArchive` of whatsmeow).
  if (isSet && record.wa_isPinned) await pin(context, { address: chat, record }, false)
}

async function pin(context: InstanceContext, { address: chat }: KnownChat, isSet: boolean): Promise<void> {
  const connection = await context.connection()
  await orUnknown(() => connection.settings.change({ kind: 'pin', chat, isSet }))
  await context.journal.write([{ type: 'chat', chat, set: { wa_isPinned: isSet }, announce: true }])
}

async function mute(context: InstanceContext, { address: chat }: KnownChat, hours: number): Promise<void> {
  const connection = await context.connection()
  const wa_muteEndTime = hours > 0 ? Date.now() + hours * HOUR_MS : hours
  await orUnknown(() => connection.settings.change({ kind: 'mute', chat, endTime: wa_muteEndTime }))
  await context.journal.write([{ type: 'chat', chat, set: { wa_muteEndTime }, announce: true }])
}
