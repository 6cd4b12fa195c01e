import { GatewayError } from '../../../schemas/errors.js'
import type { EndPassReply } from '../../../schemas/generated.js'
import { eitherRoute } from '../../route.js'

export const endPass = eitherRoute({
  method: 'DELETE',
  path: '/pass',
  name: 'endPass',
  area: 'Passes',
  scope: 'any',
  pairs: true,
  audited: true,
  summary: 'End the pass in the header and those that were made with it, on every node at once',
  schema: 'pass/end.json',
  errors: ['PASS_NOT_FOUND'],
  async handle({ credential: { pass } }, { ports }): Promise<EndPassReply> {
    if (pass === null) throw new GatewayError('PASS_NOT_FOUND', { message: 'The token of the call is not a pass.' })
    await ports.passes.end(pass.id, null)
    return { response: 'Pass ended' }
  },
})
