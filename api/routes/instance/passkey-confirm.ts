import type { PasskeyConfirmReply, PasskeyConfirmRequest } from '../../../schemas/generated.js'
import { passkeyRecord } from '../../../schemas/passkey-record.js'
import { instanceRoute } from '../../route.js'

export const confirmPasskey = instanceRoute<PasskeyConfirmRequest>({
  method: 'POST',
  path: '/instance/passkey/confirm',
  name: 'confirmPasskey',
  area: 'Instance',
  scope: 'token',
  pairs: true,
  audited: true,
  summary: 'Confirm that the phone shows the same code, in a pairing with a passkey',
  schema: 'instance/passkey-confirm.json',
  errors: [
    'PASSKEY_NOT_AWAITED',
    'PAIRING_FAILED',
    'INSTANCE_NOT_CONNECTED',
    'OUTCOME_UNKNOWN',
    'INSTANCE_MOVING',
    'INSTANCE_NOT_FOUND',
  ],
  async handle({ instance }, { ports }): Promise<PasskeyConfirmReply> {
    return { passkey: passkeyRecord(await ports.router.ask(instance.id, { type: 'passkey.confirm' })) }
  },
})
