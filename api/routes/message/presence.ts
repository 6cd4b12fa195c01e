import type { PresenceReply, PresenceRequest } from '../../../schemas/generated.js'
import { parseRecipient } from '../../../schemas/jid.js'
import { instanceRoute } from '../../route.js'

// Bound of the specification, and its default.
const delayMaxMs = 300_000

export const showPresence = instanceRoute<PresenceRequest>({
  method: 'POST',
  path: '/message/presence',
  name: 'showPresence',
  area: 'Message',
  scope: 'send',
  keyChat: { chat: 'number' },
  summary: 'Show typing or recording in a chat, in the background',
  schema: 'message/presence.json',
  errors: [
    'INVALID_NUMBER',
    'NOT_ON_NETWORK',
    'NOT_SUPPORTED',
    'INSTANCE_NOT_FOUND',
    'INSTANCE_NOT_CONNECTED',
    'INSTANCE_MOVING',
  ],
  async handle({ instance, body: { number, presence, delay } }, { ports }): Promise<PresenceReply> {
    parseRecipient(number)
    const delayMs = Math.min(delay || delayMaxMs, delayMaxMs)
    await ports.router.ask(instance.id, { type: 'presence', number, presence, delayMs })
    return { response: presence === 'paused' ? 'Chat presence ended' : 'Chat presence is shown' }
  },
})
