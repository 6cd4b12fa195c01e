import type { PasskeyReply } from '../../../schemas/generated.js'
import { passkeyRecord } from '../../../schemas/passkey-record.js'
import { instanceRoute } from '../../route.js'

export const showPasskey = instanceRoute({
  method: 'GET',
  path: '/instance/passkey',
  name: 'showPasskey',
  area: 'Instance',
  scope: 'token',
  pairs: true,
  summary: 'Show the challenge of a pairing for which WhatsApp asks for a passkey, and what to do',
  schema: 'instance/passkey.json',
  errors: ['INSTANCE_MOVING', 'INSTANCE_NOT_FOUND'],
  async handle({ instance }, { ports }): Promise<PasskeyReply> {
    return { passkey: passkeyRecord(await ports.router.ask(instance.id, { type: 'passkey' })) }
  },
})
