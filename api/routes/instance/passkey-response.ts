import type { PasskeyResponseReply, PasskeyResponseRequest } from '../../../schemas/generated.js'
import { passkeyRecord } from '../../../schemas/passkey-record.js'
import { instanceRoute } from '../../route.js'

export const answerPasskey = instanceRoute<PasskeyResponseRequest>({
  method: 'POST',
  path: '/instance/passkey/response',
  name: 'answerPasskey',
  area: 'Instance',
  scope: 'token',
  pairs: true,
  audited: true,
  summary: 'Send the signed challenge of a pairing with a passkey',
  schema: 'instance/passkey-response.json',
  errors: [
    'PASSKEY_NOT_AWAITED',
    'PAIRING_FAILED',
    'INSTANCE_NOT_CONNECTED',
    'OUTCOME_UNKNOWN',
    'INSTANCE_MOVING',
    'INSTANCE_NOT_FOUND',
  ],
  async handle({ instance, body }, { ports }): Promise<PasskeyResponseReply> {
    const { id, rawId, type, response, compareCode = false } = body
    const { clientDataJSON, authenticatorData, signature, userHandle = null } = response
    // Only these fields: the network gets the assertion as it stands here.
    const assertion = { id, rawId, type, response: { clientDataJSON, authenticatorData, signature, userHandle } }
    return {
      passkey: passkeyRecord(await ports.router.ask(instance.id, { type: 'passkey.answer', assertion, compareCode })),
    }
  },
})
