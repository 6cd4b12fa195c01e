import type { OpenPassCodeReply, OpenPassCodeRequest } from '../../../schemas/generated.js'
import { passRecord } from '../../answers/pass-record.js'
import { eitherRoute } from '../../route.js'

const LIFE_SECONDS = 600

export const openPassCode = eitherRoute<OpenPassCodeRequest>({
  method: 'POST',
  path: '/pass/code',
  name: 'openPassCode',
  area: 'Passes',
  scope: 'any',
  audited: true,
  refusesPass: true,
  summary: 'Make a code for a link to the dashboard: POST /pass takes it once, instead of a token, and makes the pass',
  schema: 'pass/code.json',
  idempotent: 'kept',
  errors: ['TOO_MANY_PASSES', 'INSTANCE_NOT_FOUND'],
  async handle({ instance, body, credential, note }, { ports }): Promise<OpenPassCodeReply> {
    const lifeMs = (body.expiresInSeconds ?? LIFE_SECONDS) * 1_000
    const { pass, code } = await ports.passes.openCode(credential, instance?.id ?? null, lifeMs)
    note.pass = pass.id
    return { pass: passRecord(pass), code }
  },
})
