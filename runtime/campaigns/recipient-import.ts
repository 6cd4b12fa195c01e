/** Imports a list of recipients into a new campaign, slice by slice, with the same memory for a thousand and for a million. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { CAMPAIGN_RECIPIENTS_MAX } from '../../schemas/campaign.js'
import type { InstanceId, Jid } from '../../schemas/ids.js'
import { invalidField } from '../../schemas/invalid-field.js'
import { personAddress, toChatId } from '../../schemas/jid.js'
import { type FieldsMap, placeholderFields } from '../../schemas/lead-fields.js'
import { type ColumnPlace, findColumnRole, ListColumns } from '../../schemas/list-columns.js'
import { firstWord, placeholderFieldNames, placeholderValues, valueAt } from '../../schemas/placeholders.js'
import type {
  CampaignImport,
  CampaignImports,
  CampaignPlaceholders,
  ColumnSurvey,
  ImportedRecipient,
  ImportHead,
  ImportPreview,
  ListSurvey,
  PlaceholderProblem,
  RecipientImports,
  RecipientList,
} from '../../schemas/ports/campaign-imports.js'
import type { ChatValues, ChatValuesOf } from '../../schemas/ports/chats.js'
import type { Place } from '../work/place.js'
import type { SharedWork } from '../work/work.js'
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
  work: Pick<SharedWork, 'run'>,
  listChats: ChatValuesOf,
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
        const tally = new PlaceholderTally(listChats(instance), fieldsMap)
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
    const tally = new PlaceholderTally(listChats(instance), fieldsMap)
    const placeholders = new ListPlaceholders(names)
    const first: Line[] = []
    const counts = { count: 0, duplicates: 0, optedOut: 0, recent: 0 }
    for await (const slice of place.flow(readSlices(list, 0))) {
      const sorted = await imports.sort(
        instance,
        slice.map(({ line, recipient }) => toImported(line, recipient)),
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
          address: toChatId(address),
          lacked: placeholders.lackedBy(values),
        })),
      )
    }
    const samples = await makeSamples(instance, first.slice(0, SAMPLES), fieldsMap)
    const addresses = first.map(({ recipient }) => toChatId(recipient.address))
    return { ...counts, problems: tally.problems(), first: addresses, samples }
  }

  async function makeSamples(instance: InstanceId, lines: readonly Line[], fieldsMap: FieldsMap) {
    const addresses = lines.map(({ recipient }) => toChatId(recipient.address))
    const chats = await listChats(instance).readValues(addresses, [...placeholderFields], SHOWN_MAX)
    return lines.map(({ recipient: { address, number, values } }) => {
      const chat = chats.get(toChatId(address)) ?? {}
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
    for await (const slice of place.flow(readSlices(list, begun.lastLine))) {
      const people = slice.map(({ line, recipient }) => toImported(line, recipient, placeholders))
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
async function* readSlices({ open, format, country }: RecipientList, afterLine: number): AsyncGenerator<Line[]> {
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
function toImported(line: number, recipient: Recipient, placeholders?: ListPlaceholders): ImportedRecipient {
  const { address, timezone } = recipient
  const values = placeholders?.listUsed(recipient.values) ?? []
  return {
    line,
    address: toChatId(address),
    person: personAddress(address),
    timezone: placeholders === undefined ? '' : timezone,
    vars: values.length === 0 ? null : JSON.stringify(Object.fromEntries(values)),
  }
}

interface Counts {
  readonly isName: boolean
  filled: number
  firstNames: number
}

/** A list of JSON may have other fields in each line. */
const COLUMNS_MAX = 1_000

/** Counts the values of each column of a list. */
class ColumnCounts {
  readonly #columns = new Map<string, Counts>()

  add(values: readonly (readonly [column: string, value: string])[]): void {
    if (this.#columns.size > COLUMNS_MAX) return
    for (const [column, value] of values) {
      const counts = this.#columns.get(column) ?? {
        isName: findColumnRole(column) === 'name',
        filled: 0,
        firstNames: 0,
      }
      if (!this.#columns.has(column)) this.#columns.set(column, counts)
      if (value.trim() === '') continue
      counts.filled += 1
      if (counts.isName && firstWord(value) !== '') counts.firstNames += 1
    }
  }

  /** Returns null if there were too many columns. */
  counts(): ReadonlyMap<string, ColumnSurvey> | null {
    return this.#columns.size > COLUMNS_MAX ? null : this.#columns
  }
}

type Values = readonly (readonly [column: string, value: string])[]

const NOTHING: readonly LackedPlaceholder[] = []

/** Finds placeholders in the lines of a list. Lines with the same columns, one after the other, cost one search. */
class ListPlaceholders {
  readonly #names: readonly string[]
  #columns: readonly string[] | null = null
  #places: readonly (ColumnPlace | null)[] = []
  #used = new Set<number>()

  constructor(names: readonly string[]) {
    this.#names = names
  }

  /** Returns the values that placeholders take from a line. */
  listUsed(values: Values): Values {
    this.#find(values)
    return values.filter((_, index) => this.#used.has(index))
  }

  /** Returns the placeholders for which a line has no value. */
  lackedBy(values: Values): readonly LackedPlaceholder[] {
    this.#find(values)
    let lacked: LackedPlaceholder[] | null = null
    for (const [at, place] of this.#places.entries()) {
      if (place !== null && valueAt(place, values[place.index]?.[1] ?? '') !== '') continue
      lacked ??= []
      lacked.push({ name: this.#names[at] as string, hasColumn: place !== null })
    }
    return lacked ?? NOTHING
  }

  #find(values: Values): void {
    const columns = this.#columns
    if (columns !== null && columns.length === values.length && values.every(([name], at) => name === columns[at]))
      return
    this.#columns = values.map(([name]) => name)
    const list = new ListColumns(this.#columns)
    this.#places = this.#names.map((name) => list.find(name))
    this.#used = new Set(this.#places.flatMap((place) => (place === null ? [] : [place.index])))
  }
}

const FIRST_SIZE = 1_024

/**
 * Set of addresses of people in 16 bytes each: a million of them takes 16 to 32 MiB. Keeps two hashes of 32 bits of each address, so that
 * two addresses are taken for one about once in twenty million lists of a million people.
 */
class AddressSet {
  #table = new Uint32Array(2 * FIRST_SIZE)
  #count = 0

  /** Adds an address. Returns false if it is in the set already. */
  add(address: string): boolean {
    const [first, second] = hashLine(address)
    if (!insert(this.#table, first, second)) return false
    this.#count += 1
    if (this.#count * 4 > this.#table.length) this.#grow()
    return true
  }

  #grow(): void {
    const former = this.#table
    this.#table = new Uint32Array(2 * former.length)
    for (let at = 0; at < former.length; at += 2) {
      const [first, second] = [former[at] as number, former[at + 1] as number]
      if (first !== 0) insert(this.#table, first, second)
    }
  }
}

/** Returns two independent hashes. The first one is never 0, which marks free places. */
function hashLine(text: string): [number, number] {
  let first = 0x811c9dc5
  let second = 0x9e3779b9
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    first = Math.imul(first ^ code, 0x01000193)
    second = Math.imul((second << 5) ^ (second >>> 27) ^ code, 0x85ebca6b)
  }
  return [mixed(first) || 1, mixed(second)]
}

function mixed(hash: number): number {
  let value = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  value = Math.imul(value ^ (value >>> 15), 0x846ca68b)
  return (value ^ (value >>> 16)) >>> 0
}

function insert(table: Uint32Array, first: number, second: number): boolean {
  const mask = table.length / 2 - 1
  for (let place = first & mask; ; place = (place + 1) & mask) {
    const at = 2 * place
    if (table[at] === 0) {
      table[at] = first
      table[at + 1] = second
      return true
    }
    if (table[at] === first && table[at + 1] === second) return false
  }
}

// Counts for how many recipients of a campaign a placeholder has no value.

/** A placeholder for which the list of a campaign has no value. */
interface LackedPlaceholder {
  readonly name: string
  /** True if the list has a column for it. */
  readonly hasColumn: boolean
}

interface LackingRecipient {
  readonly address: Jid
  readonly lacked: readonly LackedPlaceholder[]
}

/** Characters of a field of a chat that are read. A first name stands among them. */
const LENGTH_MAX = 200
/** Fields of which a name is made. */
const NAME_FIELDS = ['lead_name', 'lead_fullName', 'wa_contactName', 'wa_name']
/** Time after which others get their turn in the event loop. */
const SLICE_MS = 5

class PlaceholderTally {
  readonly #chats: ChatValues
  readonly #fieldFor: (name: string) => string | undefined
  readonly #counts = new Map<string, { unknown: number; empty: number }>()

  constructor(chats: ChatValues, fieldsMap: FieldsMap) {
    this.#chats = chats
    this.#fieldFor = placeholderFieldNames(fieldsMap)
  }

  /** Counts recipients, some thousand at a time. Those whose chats have the values lack nothing. */
  async add(recipients: readonly LackingRecipient[]): Promise<void> {
    const lacking = recipients.filter(({ lacked }) => lacked.length > 0)
    if (lacking.length === 0) return
    const fields = new Map<string, string | undefined>()
    const asked = new Set<Jid>()
    for (const { address, lacked } of lacking)
      for (const { name } of lacked) {
        if (!fields.has(name)) fields.set(name, this.#fieldFor(name))
        if (fields.get(name) !== undefined) asked.add(address)
      }
    const columns = new Set([...fields.values()].flatMap(listColumns))
    const chats = asked.size === 0 ? new Map() : await this.#chats.readValues([...asked], [...columns], LENGTH_MAX)
    let sinceMs = performance.now()
    for (const { address, lacked } of lacking) {
      const chat = chats.get(address)
      const find = chat === undefined ? undefined : placeholderValues(chat)
      for (const { name, hasColumn } of lacked) {
        const field = fields.get(name)
        if (field === undefined) this.#count(name, hasColumn ? 'empty' : 'unknown')
        else if (!find?.(field)) this.#count(name, 'empty')
      }
      if (performance.now() - sinceMs < SLICE_MS) continue
      await nextTurn()
      sinceMs = performance.now()
    }
  }

  /** Returns the placeholders that some recipients lack, in the order in which they were met. */
  problems(): PlaceholderProblem[] {
    return [...this.#counts].flatMap(([name, counts]) =>
      (['unknown', 'empty'] as const)
        .filter((problem) => counts[problem] > 0)
        .map((problem) => ({ name, problem, recipients: counts[problem] })),
    )
  }

  #count(name: string, problem: 'unknown' | 'empty'): void {
    const counts = this.#counts.get(name) ?? { unknown: 0, empty: 0 }
    counts[problem] += 1
    this.#counts.set(name, counts)
  }
}

function listColumns(field: string | undefined): readonly string[] {
  if (field === undefined) return []
  return placeholderFields.has(field) ? [field] : NAME_FIELDS
}
