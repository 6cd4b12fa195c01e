/** Imports a list of recipients into a new campaign, slice by slice, with the same memory for a thousand and for a million. */
import { CAMPAIGN_RECIPIENTS_MAX } from '../../schemas/campaign.js'
import type { InstanceId } from '../../schemas/ids.js'
import { invalidField } from '../../schemas/invalid-field.js'
import { chatIdOf, personAddress } from '../../schemas/jid.js'
import type {
  CampaignImport,
  CampaignImports,
  ImportCounts,
  ImportedRecipient,
  ImportHead,
  ListSurvey,
  RecipientImports,
  RecipientList,
} from '../../schemas/ports/campaign-imports.js'
import type { Place } from '../work/place.js'
import type { Work } from '../work/work.js'
import { AddressSet } from './address-set.js'
import type { Recipient } from './recipient-line.js'
import { readRecipients } from './recipient-lines.js'

const SLICE = 2_000
/** Maximum of lines that an answer names. */
const ERRORS_MAX = 20
const SAMPLES = 3

export function createRecipientImports(imports: CampaignImports, work: Pick<Work, 'run'>): RecipientImports {
  return {
    begin: (instance, key) => imports.begin(instance, key),
    discard: (instance, folderId) => imports.discard(instance, folderId),
    survey: (instance, list) => work.run('recipient_list', instance, (place) => survey(place, list)),
    preview: (instance, list) => work.run('recipient_list', instance, (place) => preview(place, instance, list)),
    store: (instance, begun, list, head) =>
      work.run('recipient_list', instance, (place) => store(place, instance, begun, list, head)),
  }

  async function preview(place: Place, instance: InstanceId, list: RecipientList): Promise<ImportCounts> {
    const seen = new AddressSet()
    let total: ImportCounts = { count: 0, duplicates: 0, optedOut: 0, recent: 0 }
    for await (const slice of place.flow(slicesOf(list, 0, false))) {
      const first = slice.filter(({ person }) => !list.rules.dedupe || seen.add(person))
      const { count, duplicates, optedOut, recent } = await imports.preview(instance, first, list.rules)
      total = {
        count: total.count + count,
        duplicates: total.duplicates + duplicates + slice.length - first.length,
        optedOut: total.optedOut + optedOut,
        recent: total.recent + recent,
      }
    }
    return total
  }

  async function store(
    place: Place,
    instance: InstanceId,
    begun: CampaignImport,
    list: RecipientList,
    head: ImportHead,
  ): ReturnType<RecipientImports['store']> {
    let running = begun
    for await (const people of place.flow(slicesOf(list, begun.lastLine, true))) {
      const lastLine = people.at(-1)?.line ?? running.lastLine
      running = await imports.add(instance, running, { people, lastLine }, list.rules)
    }
    const { id } = await imports.finish(instance, running, head)
    const { count, duplicates, optedOut, recent } = running
    return { folderId: id, count, duplicates, optedOut, recent }
  }
}

async function survey(place: Place, { open, format }: RecipientList): Promise<ListSurvey> {
  const errors: { line: number; why: string }[] = []
  const samples: Recipient[] = []
  let [lines, invalid] = [0, 0]
  for await (const read of place.flow(readRecipients(open(), format))) {
    for (const one of read) {
      lines += 1
      if ('recipient' in one) {
        if (samples.length < SAMPLES) samples.push(one.recipient)
        continue
      }
      invalid += 1
      if (errors.length < ERRORS_MAX) errors.push(one)
    }
    // Lines that are no recipients count too: each of them takes time.
    if (lines > CAMPAIGN_RECIPIENTS_MAX)
      throw invalidField('recipients', `has more than ${CAMPAIGN_RECIPIENTS_MAX} lines: split the list`)
  }
  return { lines, invalid, errors, samples }
}

/** Yields the recipients after that line, some thousand at a time. */
async function* slicesOf(
  { open, format }: RecipientList,
  afterLine: number,
  hasValues: boolean,
): AsyncGenerator<ImportedRecipient[]> {
  let slice: ImportedRecipient[] = []
  for await (const lines of readRecipients(open(), format)) {
    for (const one of lines) {
      // A former call has stored it.
      if (one.line <= afterLine || 'why' in one) continue
      slice.push(importedOf(one.line, one.recipient, hasValues))
      if (slice.length < SLICE) continue
      yield slice
      slice = []
    }
  }
  if (slice.length > 0) yield slice
}

function importedOf(line: number, recipient: Recipient, hasValues: boolean): ImportedRecipient {
  const { address, timezone, values } = recipient
  const vars = !hasValues || values.length === 0 ? null : JSON.stringify(Object.fromEntries(values))
  return {
    line,
    address: chatIdOf(address),
    person: personAddress(address),
    timezone: hasValues ? timezone : '',
    vars,
  }
}
