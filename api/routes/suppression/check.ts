import type { CheckSuppressionsReply, CheckSuppressionsRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { peopleOf } from './people.js'
import { suppressionRecord } from './record.js'

export const checkSuppressions = instanceRoute<CheckSuppressionsRequest>({
  method: 'POST',
  path: '/sender/suppression/check',
  isSearch: true,
  name: 'checkSuppressions',
  area: 'Campaign',
  scope: 'read',
  summary: 'Look up whether campaigns send people nothing',
  schema: 'suppression/check.json',
  errors: ['INVALID_NUMBER'],
  async handle({ instance, body: { numbers } }, { ports }): Promise<CheckSuppressionsReply> {
    const found = await ports.suppressions.find(instance.id, peopleOf(numbers, instance.defaultCountry))
    return numbers.map((query, index) => {
      const row = found[index] ?? null
      return { query, isSuppressed: row !== null, suppression: row === null ? null : suppressionRecord(row) }
    })
  },
})
