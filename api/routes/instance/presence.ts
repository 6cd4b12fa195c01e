import type { SetPresenceReply, SetPresenceRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'

const SENTENCES = {
  available: 'The account is available. Its phone shows no notifications meanwhile.',
  unavailable: 'The account is unavailable. Senders see one tick while no other device of it is available.',
} as const

export const setPresence = instanceRoute<SetPresenceRequest>({
  method: 'POST',
  path: '/instance/presence',
  name: 'setPresence',
  area: 'Instance',
  scope: 'token',
  audited: true,
  summary: 'Choose the presence that the account shows, now and after each login',
  schema: 'instance/presence.json',
  errors: ['STORE_UNAVAILABLE', 'INSTANCE_MOVING', 'INSTANCE_NOT_FOUND'],
  async handle({ instance, body: { presence } }, { ports }): Promise<SetPresenceReply> {
    const { isShown } = await ports.router.ask(instance.id, { type: 'setPresence', presence })
    return { response: SENTENCES[presence], presence, shown: isShown }
  },
})
