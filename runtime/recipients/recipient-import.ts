/** Imports a list of recipients into a new campaign, slice by slice, with the same memory for a thousand and for a million. */
import { CAMPAIGN_RECIPIENTS_MAX } from '../../schemas/campaign.js'
import type { InstanceId } from '../../schemas/ids.js'
import { invalidField } from '../../schemas/invalid-field.js'
import { chatIdOf, personAddress } from '../../schemas/jid.js'
import { type FieldsMap, placeholderFields } from '../../schemas/lead-fields.js'
import type {
  CampaignImport,
  CampaignImports,
  CampaignPlaceholders,
  ImportedRecipient,
  ImportHead,
  ImportPreview,
  ListSurvey,
  RecipientImports,
  RecipientList,
} from '../../schemas/ports/campaign-imports.js'
import type { ChatValuesOf } from '../../schemas/ports/chat-values.js'
import type { Place } from '../work/place.js'
import type { Work } from '../work/work.js'
import { AddressSet } from './address-set.js'
import { ColumnCounts } from './column-counts.js'
import { ListPlaceholders } from './list-placeholders.js'
import { PlaceholderTally } from './placeholder-tally.js'
import type { Recipient } from './recipient-line.js'
import { readRecipients } from './recipient-lines.js'

const SLICE = 2_000
/** Maximum of lines that an answer names. */
const ERRORS_MAX = 20
const SAMPLES = 3
/** Maximum of recipients that a preview names. */
const FIRST = 1_000
/** Characters of a field of a chat that a filled text shows. */
const SHOWN_MAX = 4_096

interface Line {
  readonly line: number
  readonly recipient: Recipient
}

export function createRecipientImports(
  imports: CampaignImports,
  work: Pick<Work, 'run'>,
  chatsOf: ChatValuesOf,
): RecipientImports {
  return {
    begin: (instance, key) => imports.begin(instance, key),
    check: (instance, key) => imports.check(instance, key),
    discard: (instance, folderId) => imports.discard(instance, folderId),
    survey: (instance, list) => work.run('recipient_list', instance, (place) => survey(place, list)),
    preview: (instance, list, placeholders) =>
      work.run('recipient_list', instance, (place) => preview(place, instance, list, placeholders)),
    lacking: (instance, recipients, fieldsMap) =>
      work.run('recipient_list', instance, async () => {
        const tally = new PlaceholderTally(chatsOf(instance), fieldsMap)
        for (let from = 0; from < recipients.length; from += SLICE)
          await tally.add(
            recipients.slice(from, from + SLICE).map(({ address, names }) => ({
              address,
              lacked: names.map((name) => ({ name, hasColumn: false })),
            })),
          )
        return tally.problems()
      }),
    store: (instance, begun, list, head, placeholders) =>
      work.run('recipient_list', instance, (place) => store(place, instance, begun, list, head, placeholders)),
  }

  async function preview(
    place: Place,
    instance: InstanceId,
    list: RecipientList,
    { names, fieldsMap }: CampaignPlaceholders,
  ): Promise<ImportPreview> {
    const seen = new AddressSet()
    const tally = new PlaceholderTally(chatsOf(instance), fieldsMap)
    const placeholders = new ListPlaceholders(names)
    const first: Line[] = []
    const counts = { count: 0, duplicates: 0, optedOut: 0, recent: 0 }
    for await (const slice of place.flow(slicesOf(list, 0))) {
      const sorted = await imports.sort(
        instance,
        slice.map(({ line, recipient }) => importedOf(line, recipient)),
        list.rules,
      )
      const kept = slice.filter((_, index) => {
        const { person, fate } = sorted[index] as (typeof sorted)[0]
        const isDouble = fate === 'kept' && list.rules.dedupe && !seen.add(person)
        counts[isDouble ? 'duplicates' : fate === 'kept' ? 'count' : fate] += 1
        return fate === 'kept' && !isDouble
      })
      for (const one of kept.slice(0, FIRST - first.length)) first.push(one)
      await tally.add(
        kept.map(({ recipient: { address, values } }) => ({
          address: chatIdOf(address),
          lacked: placeholders.lackedBy(values),
        })),
      )
    }
    const samples = await samplesOf(instance, first.slice(0, SAMPLES), fieldsMap)
    const addresses = first.map(({ recipient }) => chatIdOf(recipient.address))
    return { ...counts, problems: tally.problems(), first: addresses, samples }
  }

  async function samplesOf(instance: InstanceId, lines: readonly Line[], fieldsMap: FieldsMap) {
    const addresses = lines.map(({ recipient }) => chatIdOf(recipient.address))
    const chats = await chatsOf(instance).valuesOf(addresses, [...placeholderFields], SHOWN_MAX)
    return lines.map(({ recipient: { address, number, values } }) => {
      const chat = chats.get(chatIdOf(address)) ?? {}
      return { number, values: { ...chat, fieldsMap, vars: Object.fromEntries(values) } }
    })
  }

  async function store(
    place: Place,
    instance: InstanceId,
    begun: CampaignImport,
    list: RecipientList,
    head: ImportHead,
    { names }: CampaignPlaceholders,
  ): ReturnType<RecipientImports['store']> {
    let running = begun
    const placeholders = new ListPlaceholders(names)
    for await (const slice of place.flow(slicesOf(list, begun.lastLine))) {
      const people = slice.map(({ line, recipient }) => importedOf(line, recipient, placeholders))
      const lastLine = people.at(-1)?.line ?? running.lastLine
      running = await imports.add(instance, running, { people, lastLine }, list.rules)
    }
    const { id } = await imports.finish(instance, running, head)
    const { count, duplicates, optedOut, recent } = running
    return { folderId: id, count, duplicates, optedOut, recent }
  }
}

async function survey(place: Place, { open, format, country }: RecipientList): Promise<ListSurvey> {
  const errors: { line: number; why: string }[] = []
  const columns = new ColumnCounts()
  let [lines, invalid] = [0, 0]
  for await (const read of place.flow(readRecipients(open(), format, country))) {
    for (const one of read) {
      lines += 1
      if ('recipient' in one) {
        columns.add(one.recipient.values)
        continue
      }
      invalid += 1
      if (errors.length < ERRORS_MAX) errors.push(one)
    }
    // Lines that are no recipients count too: each of them takes time.
    if (lines > CAMPAIGN_RECIPIENTS_MAX)
      throw invalidField('recipients', `has more than ${CAMPAIGN_RECIPIENTS_MAX} lines: split the list`)
  }
  return { lines, invalid, errors, columns: columns.counts() }
}

/** Yields the recipients after that line, some thousand at a time. */
async function* slicesOf({ open, format, country }: RecipientList, afterLine: number): AsyncGenerator<Line[]> {
  let slice: Line[] = []
  for await (const lines of readRecipients(open(), format, country)) {
    for (const one of lines) {
      // A former call has stored it.
      if (one.line <= afterLine || 'why' in one) continue
      slice.push(one)
      if (slice.length < SLICE) continue
      yield slice
      slice = []
    }
  }
  if (slice.length > 0) yield slice
}

/** Without `placeholders` it has no values: nothing of it is stored. */
function importedOf(line: number, recipient: Recipient, placeholders?: ListPlaceholders): ImportedRecipient {
  const { address, timezone } = recipient
  const values = placeholders?.usedOf(recipient.values) ?? []
  return {
    line,
    address: chatIdOf(address),
    person: personAddress(address),
    timezone: placeholders === undefined ? '' : timezone,
    vars: values.length === 0 ? null : JSON.stringify(Object.fromEntries(values)),
  }
}
