import { parseRecipient } from '../../../schemas/jid.js'
import type { PresenceKind } from '../../../schemas/presence-kind.js'
import type { InstanceContext } from '../context.js'
import { bothAddresses } from '../known-chat.js'
import { operation } from '../operation.js'

interface PresenceFields {
  readonly number: string
  readonly presence: PresenceKind
  readonly delayMs: number
}

/** Shows or ends a typing or recording indicator. */
export const presence = operation('presence', {
  // An indicator ends with the owner that showed it.
  repeat: true,
  example: null,
  async run(context: InstanceContext, { number, presence: kind, delayMs }: PresenceFields) {
    const given = parseRecipient(number)
    await context.connection()
    const chat = await bothAddresses(context.id, given, context.reader)
    if (kind === 'paused') context.presences.pause(chat)
    else context.presences.start(chat, kind, delayMs)
    return null
  },
})
