import type { RemoveSuppressionsReply, RemoveSuppressionsRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { peopleOf } from './people.js'

export const removeSuppressions = instanceRoute<RemoveSuppressionsRequest>({
  method: 'POST',
  path: '/sender/suppression/remove',
  isSearch: true,
  name: 'removeSuppressions',
  area: 'Campaign',
  scope: 'token',
  summary: 'Let campaigns write to people again',
  schema: 'suppression/remove.json',
  errors: ['INVALID_NUMBER'],
  async handle({ instance, body: { numbers } }, { ports }): Promise<RemoveSuppressionsReply> {
    return { removed: await ports.suppressions.remove(instance.id, peopleOf(numbers, instance.defaultCountry)) }
  },
})
