import type { PasskeyResponseReply, PasskeyResponseRequest } from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { passkeyRecord } from '../../../schemas/passkey-record.js'
import { instanceRoute } from '../../route.js'

/** Maximum length of the signed challenge, as JSON. */
const ASSERTION_MAX = 65_536

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
    const { compareCode = false, ...assertion } = body
    if (JSON.stringify(assertion).length > ASSERTION_MAX)
      throw invalidField('response', `makes the signed challenge longer than ${ASSERTION_MAX} characters of JSON`)
    return {
      passkey: passkeyRecord(await ports.router.ask(instance.id, { type: 'passkey.answer', assertion, compareCode })),
    }
  },
})
