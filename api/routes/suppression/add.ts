import type { AddSuppressionsReply, AddSuppressionsRequest } from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { instanceRoute } from '../../route.js'
import { peopleOf } from './people.js'

export const addSuppressions = instanceRoute<AddSuppressionsRequest>({
  method: 'POST',
  path: '/sender/suppression/add',
  isSearch: true,
  name: 'addSuppressions',
  area: 'Campaign',
  scope: 'token',
  summary: 'Add people to whom campaigns send nothing',
  schema: 'suppression/add.json',
  idempotent: 'kept',
  errors: ['INVALID_NUMBER', 'RECORD_LIMIT', 'INSTANCE_NOT_FOUND'],
  async handle({ instance, body: { numbers, reason = '', until } }, { ports }): Promise<AddSuppressionsReply> {
    const people = peopleOf(numbers, instance.defaultCountry)
    const end = until === undefined ? null : endOf(until)
    const added = await ports.suppressions.add(instance.id, people, { reason, until: end })
    return { added, known: people.length - added }
  },
})

function endOf(until: string): Date {
  const end = new Date(until)
  // Also refuses a leap second: it has the form of a time, and is none here.
  if (!(end.getTime() > Date.now())) throw invalidField('until', 'must be a time in the future')
  return end
}
