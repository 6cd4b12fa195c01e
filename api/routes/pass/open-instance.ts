import type { OpenInstancePassReply, OpenInstancePassRequest } from '../../../schemas/generated.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { passRecord } from '../../answers/pass-record.js'
import { adminRoute } from '../../route.js'

export const openInstancePass = adminRoute<OpenInstancePassRequest>({
  method: 'POST',
  path: '/admin/instances/:id/pass',
  name: 'openInstancePass',
  area: 'Passes',
  summary:
    'Make a pass with which an administrator acts on an instance, as its token would; the audit log has what it does',
  schema: 'pass/open-instance.json',
  idempotent: 'kept',
  errors: ['TOO_MANY_PASSES', 'INSTANCE_NOT_FOUND'],
  async handle({ params, body, credential, note }, { ports }): Promise<OpenInstancePassReply> {
    const lifeMs = body.expiresInSeconds === undefined ? null : body.expiresInSeconds * 1_000
    const { pass, token } = await ports.passes.open(credential, (params.id ?? '') as InstanceId, lifeMs)
    note.pass = pass.id
    return { pass: passRecord(pass), token }
  },
})
