import { GatewayError } from '../../../schemas/errors.js'
import type {
  AddSuppressionsReply,
  AddSuppressionsRequest,
  CheckSuppressionsReply,
  CheckSuppressionsRequest,
  OptOutWordsReply,
  RemoveSuppressionsReply,
  RemoveSuppressionsRequest,
  SetOptOutWordsRequest,
  Suppression,
  SuppressionQuery,
  SuppressionReply,
} from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { type ChatAddress, parseAddress } from '../../../schemas/jid.js'
import { plainWord } from '../../../schemas/opt-out.js'
import type { SuppressionRow } from '../../../schemas/ports/records.js'
import { instanceRoute, type Route } from '../../route.js'

function suppressionRecord({ address, reason, source, created, until }: SuppressionRow): Suppression {
  return { number: address, reason, source, created: created.toISOString(), until: until?.toISOString() ?? null }
}

const DETAILS_MAX = 100

/**
 * Reads the people of a request.
 * @param country ISO code of the country whose national numbers are taken
 * @throws GatewayError INVALID_NUMBER that names each wrong entry, up to 100
 */
function readPeople(numbers: readonly string[], country: string): readonly ChatAddress[] {
  const wrong: { readonly field: string; readonly why: string }[] = []
  const people = numbers.map((number, index) => {
    const field = `numbers[${index}]`
    try {
      const address = parseAddress(number, field, country)
      if (address.group !== undefined) throw invalidField(field, 'names no person')
      return address
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      const [detail] = error.details as readonly { readonly field: string; readonly why: string }[]
      wrong.push(detail ?? { field, why: 'is not a number' })
      return {}
    }
  })
  const [first] = wrong
  if (first === undefined) return people
  const message = `Invalid ${first.field}: it ${first.why}.`
  throw new GatewayError('INVALID_NUMBER', { message, details: wrong.slice(0, DETAILS_MAX) })
}

const addSuppressions = instanceRoute<AddSuppressionsRequest>({
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
    const people = readPeople(numbers, instance.defaultCountry)
    const end = until === undefined ? null : readEnd(until)
    const added = await ports.suppressions.add(instance.id, people, { reason, until: end })
    return { added, known: people.length - added }
  },
})

function readEnd(until: string): Date {
  const end = new Date(until)
  // Also refuses a leap second: it has the form of a time, and is none here.
  if (!(end.getTime() > Date.now())) throw invalidField('until', 'must be a time in the future')
  return end
}

const checkSuppressions = instanceRoute<CheckSuppressionsRequest>({
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
    const found = await ports.suppressions.find(instance.id, readPeople(numbers, instance.defaultCountry))
    return numbers.map((query, index) => {
      const row = found[index] ?? null
      return { query, isSuppressed: row !== null, suppression: row === null ? null : suppressionRecord(row) }
    })
  },
})

const setOptOutWords = instanceRoute<SetOptOutWordsRequest>({
  method: 'POST',
  path: '/sender/suppression/words',
  name: 'setOptOutWords',
  area: 'Campaign',
  scope: 'token',
  summary: 'Choose the words by which people opt out of campaigns',
  schema: 'suppression/set-words.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_MOVING'],
  async handle({ instance, body }, { ports }): Promise<OptOutWordsReply> {
    const plain = body.words.map(plainWord)
    const blank = plain.indexOf('')
    if (blank >= 0) throw invalidField(`words[${blank}]`, 'must have a letter or a digit')
    const { words } = await ports.router.ask(instance.id, { type: 'setOptOutWords', words: [...new Set(plain)] })
    return { words: [...words] }
  },
})

const listSuppressions = instanceRoute<undefined, SuppressionQuery>({
  method: 'GET',
  path: '/sender/suppression',
  isSearch: true,
  name: 'listSuppressions',
  area: 'Campaign',
  scope: 'read',
  summary: 'List the people to whom campaigns send nothing',
  schema: 'suppression/list.json',
  errors: [],
  async handle({ instance, query: { limit = 100, cursor = '' } }, { ports }): Promise<SuppressionReply> {
    const after = cursor.replaceAll('\0', '')
    const { rows, hasMore } = await ports.suppressions.list(instance.id, { after, limit })
    return { suppressed: rows.map(suppressionRecord), next: hasMore ? (rows.at(-1)?.address ?? null) : null }
  },
})

const removeSuppressions = instanceRoute<RemoveSuppressionsRequest>({
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
    return { removed: await ports.suppressions.remove(instance.id, readPeople(numbers, instance.defaultCountry)) }
  },
})

const showOptOutWords = instanceRoute({
  method: 'GET',
  path: '/sender/suppression/words',
  name: 'showOptOutWords',
  area: 'Campaign',
  scope: 'token',
  summary: 'Show the words by which people opt out of campaigns',
  schema: 'suppression/words.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_MOVING'],
  async handle({ instance }, { ports }): Promise<OptOutWordsReply> {
    return { words: [...(await ports.router.ask(instance.id, { type: 'showOptOutWords' })).words] }
  },
})

/** Routes of the area, in the order of the documentation. */
export const suppressionRoutes: readonly Route[] = [
  listSuppressions,
  addSuppressions,
  removeSuppressions,
  checkSuppressions,
  showOptOutWords,
  setOptOutWords,
]
