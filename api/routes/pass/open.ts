import type { OpenPassReply, OpenPassRequest } from '../../../schemas/generated.js'
import { passRecord } from '../../answers/pass-record.js'
import { eitherRoute } from '../../route.js'

export const openPass = eitherRoute<OpenPassRequest>({
  method: 'POST',
  path: '/pass',
  name: 'openPass',
  area: 'Passes',
  scope: 'any',
  pairs: true,
  audited: true,
  refusesPass: true,
  takesCode: true,
  summary: 'Make a pass: a token with the rights of the one in the header, which ends by itself',
  schema: 'pass/open.json',
  idempotent: 'kept',
  errors: ['TOO_MANY_PASSES', 'INSTANCE_NOT_FOUND'],
  async handle({ instance, body, credential, note }, { ports }): Promise<OpenPassReply> {
    const lifeMs = body.expiresInSeconds === undefined ? null : body.expiresInSeconds * 1_000
    const { pass, token } = await ports.passes.open(credential, instance?.id ?? null, lifeMs)
    note.pass = pass.id
    return { pass: passRecord(pass), token }
  },
})
