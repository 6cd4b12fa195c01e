/** Finds messages by filters, page by page: from a place in their order, around one of them, or by an offset. */
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import { invalidField } from '../../schemas/invalid-field.js'
import { type ChatAddress, parseAddress, personAddresses, toChatId } from '../../schemas/jid.js'
import type { MessageQuery } from '../../schemas/ports/chats.js'
import { type MessageRow, messageColumns } from './message-record.js'
import { type Cursor, formatCursor, parseCursor } from './page-cursor.js'
import type { Search } from './timed-search.js'

// Bound: 65,536, a filter of a request.

export interface FoundRow extends MessageRow {
  readonly owner_jid: string | null
  /** Its place in the order: the time, then the position. */
  readonly place: string
  readonly position: string
  /** How many rows there are up to the limit, those included for which there is no room. */
  readonly found: number
}

/** A page, newest first. `older` and `newer` are cursors of the pages beside it. */
export interface FoundPage {
  readonly rows: readonly FoundRow[]
  readonly hasMore: boolean
  readonly older: string | null
  readonly newer: string | null
}

/** Direction of a walk through the messages, and the comparisons that keep to it. */
interface Walk {
  readonly order: 'DESC' | 'ASC'
  readonly beyond: '<' | '>'
  /** Compares with the place where the search for a text ends. */
  readonly within: '>=' | '<='
}

/** A part of a walk. */
interface Stretch {
  readonly rows: readonly FoundRow[]
  /** Place from which the walk goes on; null at its end. */
  readonly next: Cursor | null
}

const OLDER: Walk = { order: 'DESC', beyond: '<', within: '>=' }
const NEWER: Walk = { order: 'ASC', beyond: '>', within: '<=' }
/** Maximum of messages in which one call looks for a text, or for pins. */
const TEXT_SCAN_MAX = 20_000
/** A page ends before the message whose texts exceed this. A thousand long ones would stop the event loop for seconds. */
const PAGE_BYTES_MAX = 2 * 2 ** 20
const PLACE_FORM = /^\d{1,18}$/
const COLUMNS = 'm."messageTimestamp"::text AS place, m.position::text AS position'

export function createMessageSearch(search: Search) {
  /**
   * Newest first. By id the oldest first, as in `reader.ts`: whoever sends a message chooses its id, and one that comes later under the id
   * of another must not stand in its place.
   * @throws GatewayError INVALID_NUMBER for a chat that cannot be, INVALID_REQUEST for a cursor that is none, MESSAGE_NOT_FOUND
   */
  return async function find(instance: InstanceId, query: MessageQuery): Promise<FoundPage> {
    const { id, before, after, around, limit } = query
    if (id !== undefined) return await findById(instance, query)
    if (around !== undefined) return await findAround(instance, query, around)
    if (after !== undefined) {
      const { rows, next } = await walk(instance, query, NEWER, { from: parsePlace('after', after), limit })
      const page = rows.toReversed()
      const newest = next ?? toCursor(page[0])
      return {
        rows: page,
        hasMore: next !== null,
        older: text(toCursor(page.at(-1))),
        newer: newest === null ? after : formatCursor(newest),
      }
    }
    const from = before === undefined ? null : parsePlace('before', before)
    const { rows, next } = await walk(instance, query, OLDER, { from, limit })
    return { rows, hasMore: next !== null, older: text(next), newer: text(toCursor(rows[0])) ?? before ?? null }
  }

  async function findById(instance: InstanceId, query: MessageQuery): Promise<FoundPage> {
    const where = new Conditions(instance, query)
    const limit = `LIMIT ${where.value(query.limit + 1)} OFFSET ${where.value(query.offset)}`
    const rows = await search<FoundRow>(statement(where, 'm.position', limit), where.values)
    const page = rows.slice(0, query.limit)
    return { rows: page, hasMore: readCount(rows) > page.length, older: null, newer: null }
  }

  /** Reads half a page of older messages with the message itself, and half a page of newer ones. */
  async function findAround(instance: InstanceId, query: MessageQuery, id: string): Promise<FoundPage> {
    const [found] = (await findById(instance, { ...query, id, limit: 1, offset: 0 })).rows
    const from = toCursor(found)
    if (found === undefined || from === null) throw new GatewayError('MESSAGE_NOT_FOUND')
    const half = Math.floor(query.limit / 2)
    const [newer, older] = await Promise.all([
      half === 0 ? null : walk(instance, query, NEWER, { from, limit: half }),
      query.limit - half < 2 ? null : walk(instance, query, OLDER, { from, limit: query.limit - half - 1 }),
    ])
    const rows = [...(newer?.rows.toReversed() ?? []), found, ...(older?.rows ?? [])]
    const oldest = older === null ? from : older.next
    return { rows, hasMore: oldest !== null, older: text(oldest), newer: text(toCursor(rows[0])) }
  }

  async function walk(
    instance: InstanceId,
    query: MessageQuery,
    { order, beyond, within }: Walk,
    { from, limit }: { from: Cursor | null; limit: number },
  ): Promise<Stretch> {
    const by = `m."messageTimestamp" ${order}, m.position ${order}`
    const where = new Conditions(instance, query)
    if (from !== null) where.place(beyond, from)
    let end: Cursor | null = null
    if (query.text !== undefined || query.pinned) {
      end = await endOfScan(where, by)
      if (end !== null) where.place(within, end)
      if (query.text !== undefined) where.text(query.text)
      if (query.pinned) where.pinned()
    }
    const pages = `LIMIT ${where.value(limit + 1)} OFFSET ${where.value(query.offset)}`
    const rows = await search<FoundRow>(statement(where, by, pages), where.values)
    const page = rows.slice(0, limit)
    return { rows: page, next: readCount(rows) > page.length ? toCursor(page.at(-1)) : end }
  }

  /** Returns the place of the last message in which one call looks for a text or for pins; null if there are fewer left. */
  async function endOfScan(where: Conditions, by: string): Promise<Cursor | null> {
    const [last] = await search<FoundRow>(
      `SELECT ${COLUMNS} FROM message AS m WHERE ${where} ORDER BY ${by} LIMIT 1 OFFSET ${TEXT_SCAN_MAX - 1}`,
      where.values,
    )
    return toCursor(last)
  }
}

/** The conditions of a search, with their values. */
class Conditions {
  readonly values: unknown[]
  readonly #all = ['m.instance_id = $1']

  constructor(instance: InstanceId, { id, chatid, trackSource, trackId, status }: MessageQuery) {
    this.values = [instance]
    // Either the record's id, the network's, or `owner:messageid`.
    if (id !== undefined)
      this.#add(id.slice(id.indexOf(':') + 1), (bare) => `(m."messageid" = ${bare} OR m.id = ${bare})`)
    if (chatid !== undefined) this.#ofChat(parseAddress(chatid, 'chatid'))
    if (trackSource !== undefined) this.#add(trackSource, (source) => `m."track_source" = ${source}`)
    if (trackId !== undefined) this.#add(trackId, (track) => `m."track_id" = ${track}`)
    if (status !== undefined) this.#add(status.toLowerCase(), (one) => `m."status" = ${one}`)
    // The indices of tracks and of failed messages are partial: they serve only a query that says so.
    if (trackSource) this.#all.push(`m."track_source" <> ''`)
    if (trackId) this.#all.push(`m."track_id" <> ''`)
    if (status?.toLowerCase() === 'failed') this.#all.push('m.outbox < 0')
  }

  /** A number may be known by its other spelling. */
  #ofChat(address: ChatAddress): void {
    const [jid, ...others] = personAddresses(address)
    if (others.length === 0) {
      this.#add(
        jid ?? toChatId(address),
        (one) => `m.chat_id = (SELECT chat_id FROM chat_alias WHERE instance_id = $1 AND jid = ${one})`,
      )
      return
    }
    const all = this.value([jid, ...others])
    this.#all.push(`m.chat_id = (
      SELECT chat_id FROM chat_alias WHERE instance_id = $1 AND jid = ANY(${all}::text[]) ORDER BY array_position(${all}::text[], jid) LIMIT 1)`)
  }

  /** Returns the parameter of a value. */
  value(value: unknown): string {
    this.values.push(value)
    return `$${this.values.length}`
  }

  place(comparison: '<' | '>' | '<=' | '>=', { place, id }: Cursor): void {
    const [time, position] = [this.value(place), this.value(id)]
    this.#all.push(`(m."messageTimestamp", m.position) ${comparison} (${time}::bigint, ${position}::bigint)`)
  }

  /** Keeps messages whose text contains this one, in any case. */
  text(text: string): void {
    this.#add(`%${text.replace(/[\\%_]/g, '\\$&')}%`, (pattern) => `m."text" ILIKE ${pattern}`)
  }

  pinned(): void {
    this.#all.push(`m.pinned_until > ${this.value(Date.now())}::bigint`)
  }

  toString(): string {
    return this.#all.join(' AND ')
  }

  #add(value: string, condition: (parameter: string) => string): void {
    this.#all.push(condition(this.value(value.replaceAll('\0', ''))))
  }
}

// The lengths are known without the values, which PostgreSQL keeps apart from the rows when they are long.
const BYTES = ['text', 'content', 'edited', 'vote', 'ad', 'ai_metadata']
  .map((column) => `coalesce(octet_length(m."${column}"), 0)`)
  .join(' + ')

function statement(where: Conditions, by: string, pages: string): string {
  return `
    SELECT ${messageColumns}, i.owner_jid, ${COLUMNS}, m.found
    FROM (
      SELECT m.*, sum(m.bytes) OVER (ORDER BY ${by} ROWS UNBOUNDED PRECEDING) AS bytes_with, count(*) OVER ()::int AS found
      FROM (SELECT m.*, ${BYTES} AS bytes FROM message AS m WHERE ${where} ORDER BY ${by} ${pages}) AS m
    ) AS m
    JOIN chat AS c ON c.instance_id = m.instance_id AND c.id = m.chat_id
    JOIN instance AS i ON i.id = m.instance_id
    WHERE m.bytes_with <= ${PAGE_BYTES_MAX} OR m.bytes_with = m.bytes
    ORDER BY ${by}`
}

function readCount(rows: readonly FoundRow[]): number {
  return rows[0]?.found ?? 0
}

function toCursor(row: Pick<FoundRow, 'place' | 'position'> | undefined): Cursor | null {
  return row === undefined ? null : { place: row.place, id: row.position }
}

function text(cursor: Cursor | null): string | null {
  return cursor === null ? null : formatCursor(cursor)
}

/** @throws GatewayError INVALID_REQUEST */
function parsePlace(field: 'before' | 'after', cursor: string): Cursor {
  const place = parseCursor(cursor, PLACE_FORM, field)
  if (!PLACE_FORM.test(place.id)) throw invalidField(field, 'is not a cursor of a page of messages')
  return place
}
