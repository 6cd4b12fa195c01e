import type { EndListedPassReply } from '../../../schemas/generated.js'
import { eitherRoute } from '../../route.js'

export const endListedPass = eitherRoute({
  method: 'DELETE',
  path: '/passes/:id',
  name: 'endListedPass',
  area: 'Passes',
  scope: 'token',
  audited: true,
  summary:
    'End a pass of the instance, or any for the administrator, and those that were made with it, on every node at once',
  schema: 'pass/end-listed.json',
  errors: ['PASS_NOT_FOUND'],
  async handle({ instance, params: { id = '' }, note }, { ports }): Promise<EndListedPassReply> {
    note.subject = instance?.id ?? id
    await ports.passes.end(id, instance?.id ?? null)
    return { response: 'Pass ended' }
  },
})
