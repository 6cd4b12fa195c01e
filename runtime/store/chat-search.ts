/**
 * The statements of a search over chats. Names of columns come from the table of fields alone, values go as parameters.
 * How they stay fast (docs/benchmarks.md): the order of the last message and the unread chats have a narrow table with indices of its own,
 * totals of flags and of places in the sales process are kept (`chat_count`, `chat_lead_count`), and what texts contain is looked up
 * by trigrams, or by pairs of letters if they are that short.
 */

import { chatFields } from '../../schemas/chat-fields.js'
import type { ChatFilter } from '../../schemas/chat-filter.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { ChatQuery } from '../../schemas/ports/chats.js'
import { chatColumns } from './chat-record.js'
import { countLetters, mayContain, PAIRED_FIELDS } from './name-pairs.js'

// Bound: 65,536, a filter of a request.

export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** The columns of `chat_count`, besides `unread`. */
const FLAGS = new Set([
  'wa_archived',
  'wa_isBlocked',
  'wa_isGroup',
  'wa_isGroup_admin',
  'wa_isGroup_announce',
  'wa_isGroup_community',
  'wa_isGroup_member',
  'wa_isPinned',
])

/** Further filters that `chat_lead_count` counts. */
const LEAD_FLAG = 'lead_isTicketOpen'
const LEAD_TEXTS = new Set(['lead_status', 'lead_assignedAttendant_id'])

const BOTH = 'chat_activity AS a JOIN chat AS c ON c.instance_id = a.instance_id AND c.id = a.chat_id'
// OFFSET 0 keeps the planner from another plan: filters are checked for each chat of the walk.
const WALKED = `chat_activity AS a
  CROSS JOIN LATERAL (SELECT * FROM chat AS one WHERE one.instance_id = a.instance_id AND one.id = a.chat_id OFFSET 0) AS c`

/** Numbers that are known before a page is read: of chats that match, of all chats, and of unread chats. */
export interface KnownTotals {
  readonly matching: number
  readonly total_chats: number
  readonly unread_chats: number
}

/** The rows of one page of a search that `isCounted`. `a` is a chat's place, `c` the chat. */
export function pageStatement(instance: InstanceId, owner: string, query: ChatQuery, extent: KnownTotals): Statement {
  const { sort, limit, offset, filters } = query
  const direction = sort.isDescending ? 'DESC' : 'ASC'
  const byActivity = `a."wa_lastMsgTimestamp" ${direction}, a.chat_id ${direction}`
  const where = new Conditions(instance, owner, query, { byUnread: true })
  if (sort.field === 'wa_lastMsgTimestamp' && filters.length === 0) {
    // The offset is skipped in the narrow table.
    const page = `
      SELECT a.instance_id, a.chat_id, a."wa_lastMsgTimestamp" FROM chat_activity AS a WHERE a.instance_id = $1
      ORDER BY ${byActivity} LIMIT ${where.value(limit)} OFFSET ${where.value(offset)}`
    const from = BOTH.replace('chat_activity AS a', `(${page}) AS a`)
    return { text: `SELECT ${chatColumns} FROM ${from} ORDER BY ${byActivity}`, values: where.values }
  }
  const walked = query.operator === 'AND' && where.needsActivity ? extent.unread_chats : extent.total_chats
  // Either those that match are sorted, or the order of the last message is walked until enough were found: what looks at fewer.
  const isWalk = sort.field === 'wa_lastMsgTimestamp' && extent.matching ** 2 >= (offset + limit) * walked
  const order = isWalk ? byActivity : `${where.column(sort.field)} ${direction}, c.id ${direction}`
  return {
    text: `SELECT ${chatColumns} FROM ${isWalk ? WALKED : where.needsActivity ? BOTH : 'chat AS c'}
      WHERE ${isWalk || where.needsActivity ? 'a.instance_id = $1 AND ' : ''}c.instance_id = $1 AND (${where.text})
      ORDER BY ${order} LIMIT ${where.value(limit)} OFFSET ${where.value(offset)}`,
    values: where.values,
  }
}

/**
 * The rows of one page of any other search, each with `matching`, how many match; one row of nulls with it when the page is empty.
 * To know how many match, all that match have to be looked at, so the page is taken from them.
 */
export function searchStatement(instance: InstanceId, owner: string, query: ChatQuery): Statement {
  const { sort, limit, offset, filters, newest } = query
  const direction = sort.isDescending ? 'DESC' : 'ASC'
  const isNarrow = filters.every(isOfActivity) && sort.field === 'wa_lastMsgTimestamp'
  const where = new Conditions(instance, owner, query, {
    byUnread: false,
    byPairs: newest === undefined,
    timeIn: isNarrow ? 'a' : 'c',
  })
  const activity = newest === undefined ? 'chat_activity AS a' : newestChats(where.value(newest))
  const found = isNarrow
    ? `SELECT a.chat_id AS id, a."wa_lastMsgTimestamp" AS key FROM ${activity} WHERE a.instance_id = $1`
    : `SELECT c.id, ${where.column(sort.field)} AS key
        FROM ${newest === undefined ? 'chat AS c' : WALKED.replace('chat_activity AS a', activity)} WHERE c.instance_id = $1`
  return {
    text: `
      WITH found AS MATERIALIZED (${found} AND (${where.text})), page AS (
        SELECT id, key FROM found ORDER BY key ${direction}, id ${direction} LIMIT ${where.value(limit)} OFFSET ${where.value(offset)}
      )
      SELECT total.matching, ${chatColumns} FROM (SELECT count(*) AS matching FROM found) AS total
      LEFT JOIN (page JOIN chat AS c ON c.instance_id = $1 AND c.id = page.id) ON true
      ORDER BY page.key ${direction}, page.id ${direction}`,
    values: where.values,
  }
}

/** So many chats with the newest messages. */
function newestChats(limit: string): string {
  return `(SELECT instance_id, chat_id, "wa_lastMsgTimestamp" FROM chat_activity WHERE instance_id = $1
    ORDER BY "wa_lastMsgTimestamp" DESC, chat_id DESC LIMIT ${limit}) AS a`
}

/** Returns true when the stored totals contain the number of matches. */
export function isCounted({ filters, newest }: ChatQuery): boolean {
  return newest === undefined && filters.every((filter) => isOfLead(filter) || flagCondition(filter) !== null)
}

/** Counts chats of several kinds. `matching` is the number of matches, or null unless `isCounted`. */
export function totalsStatement(instance: InstanceId, query: ChatQuery): Statement {
  const values: unknown[] = [instance]
  const count = (condition: string) => `COALESCE(sum(k.chats) FILTER (WHERE ${condition}), 0)::bigint`
  const columns = Object.entries(STATISTICS).map(([name, condition]) => `${count(condition)} AS ${name}`)
  return {
    text: `SELECT ${columns.join(', ')}, ${isCounted(query) ? composeMatching() : 'NULL::bigint'} AS matching
      FROM chat_count AS k WHERE k.instance_id = $1`,
    values,
  }

  function composeMatching(): string {
    const value = (one: string) => `$${values.push(one)}`
    const conditions = query.filters.flatMap(
      (filter) => (filter.type === 'text' ? leadCondition(filter, value) : flagCondition(filter)) ?? [],
    )
    const matching = count(joined(conditions, query.operator))
    return query.filters.some(isOfLead) ? `(SELECT ${matching} FROM (${COUNTED_LEADS}) AS k)` : matching
  }
}

const FLAG_LIST = ['unread', ...[...FLAGS].map((flag) => `"${flag}"`)].join(', ')
/** All chats by flags and lead: those of `chat_lead_count` as they are there, and of `chat_count` what is left without them. */
const COUNTED_LEADS = `
  SELECT ${FLAG_LIST}, false AS "lead_isTicketOpen", '' AS "lead_status", '' AS "lead_assignedAttendant_id", chats
  FROM chat_count WHERE instance_id = $1
  UNION ALL SELECT ${FLAG_LIST}, false, '', '', -chats FROM chat_lead_count WHERE instance_id = $1
  UNION ALL SELECT ${FLAG_LIST}, "lead_isTicketOpen", "lead_status", "lead_assignedAttendant_id", chats
  FROM chat_lead_count WHERE instance_id = $1`

function isOfLead({ field }: ChatFilter): boolean {
  return field === LEAD_FLAG || LEAD_TEXTS.has(field)
}

/** Returns true when the time of the last message alone decides whether a chat matches. */
function isOfActivity({ field, operator }: ChatFilter): boolean {
  return field === 'wa_lastMsgTimestamp' && operator !== 'contains' && operator !== 'notContains'
}

const STATISTICS = {
  total_chats: 'true',
  unread_chats: 'k.unread <> 0',
  archived_chats: 'k."wa_archived"',
  pinned_chats: 'k."wa_isPinned"',
  blocked_chats: 'k."wa_isBlocked"',
  groups: 'k."wa_isGroup"',
  admin_groups: 'k."wa_isGroup_admin"',
  member_groups: 'k."wa_isGroup_member"',
} as const

export type ChatStatistics = Readonly<Record<keyof typeof STATISTICS, number>>

/** A filter as a condition on totals; null when they do not tell. */
function flagCondition(filter: ChatFilter): string | null {
  if (filter.type === 'boolean' && (FLAGS.has(filter.field) || filter.field === LEAD_FLAG))
    return booleanCondition(`k."${filter.field}"`, filter)
  if (filter.type !== 'number' || filter.field !== 'wa_unreadCount') return null
  const { operator } = filter
  const value = Number(filter.value)
  if (operator === 'contains' || operator === 'notContains') return null
  // Of counts from 1 up the totals know one number only: the filter must hold for all of them or for none.
  const isOneForAll = operator === '>=' || operator === '<' ? value <= 1 : value < 1
  const sql = { equal: '=', different: '<>', '>=': '>=', '>': '>', '<=': '<=', '<': '<' }[operator]
  return isOneForAll && Number.isSafeInteger(value) ? `k.unread ${sql} ${value}` : null
}

type TextFilter = Extract<ChatFilter, { type: 'text' }>

function leadCondition(filter: TextFilter, value: (one: string) => string): string | null {
  return LEAD_TEXTS.has(filter.field) ? textCondition(`k."${filter.field}"`, filter, value) : null
}

function textCondition(column: string, filter: TextFilter, parameter: (value: string) => string): string {
  const { operator, value } = filter
  const patterns = (filter.digits ?? [value]).map(containing)
  if (operator === 'contains') return joinWithOr(patterns.map((one) => `${column} ILIKE ${parameter(one)}`))
  if (operator === 'notContains') return patterns.map((one) => `${column} NOT ILIKE ${parameter(one)}`).join(' AND ')
  const sql = operator === 'different' ? '<>' : operator === 'equal' ? '=' : operator
  return `${column} COLLATE "C" ${sql} ${parameter(value)}`
}

function joinWithOr(conditions: readonly string[]): string {
  return conditions.length === 1 ? String(conditions[0]) : `(${conditions.join(' OR ')})`
}

type BooleanFilter = Extract<ChatFilter, { type: 'boolean' }>

function booleanCondition(column: string, { operator, value }: BooleanFilter): string {
  const holds = (one: boolean): boolean => {
    const [left, right] = [Number(one), Number(value)]
    switch (operator) {
      case 'equal':
        return left === right
      case 'different':
        return left !== right
      case '>=':
        return left >= right
      case '>':
        return left > right
      case '<=':
        return left <= right
      case '<':
        return left < right
      default:
        return operator satisfies never
    }
  }
  // Without a parameter, so that an index on the few fits.
  if (holds(true)) return holds(false) ? 'true' : column
  return holds(false) ? `NOT ${column}` : 'false'
}

/** The filters as one condition, with its parameters: $1 is the instance. */
class Conditions {
  readonly values: unknown[]
  readonly text: string
  readonly #owner: string
  readonly #timeIn: 'a' | 'c'
  readonly #byUnread: boolean
  readonly #byPairs: boolean
  needsActivity = false

  /** `timeIn`: the table in which the time of the last message is looked at. `byUnread`: unread chats are found by their index. `byPairs`: so are names that contain two letters. */
  constructor(
    instance: InstanceId,
    owner: string,
    { filters, operator }: ChatQuery,
    { byUnread, byPairs = false, timeIn = 'c' }: { byUnread: boolean; byPairs?: boolean; timeIn?: 'a' | 'c' },
  ) {
    this.values = [instance]
    this.#owner = owner
    this.#timeIn = timeIn
    this.#byUnread = byUnread
    this.#byPairs = byPairs
    this.text = joined(
      filters.map((filter) => this.#condition(filter)),
      operator,
    )
  }

  value(value: unknown): string {
    this.values.push(value)
    return `$${this.values.length}`
  }

  /** A field as an expression over `c`. */
  column(field: string): string {
    if (chatFields[field] === undefined) throw new Error(`A chat has no field ${field}.`)
    switch (field) {
      case 'id':
        return `('r' || CASE WHEN c.id < 268435456 THEN lpad(to_hex(c.id), 7, '0') ELSE to_hex(c.id) END)`
      case 'owner':
        return `${this.value(this.#owner)}::text`
      case 'wa_fastid':
        return `(${this.value(this.#owner)}::text || ':' || split_part(c."wa_chatid", '@', 1))`
      default:
        return `c."${field}"`
    }
  }

  #condition(filter: ChatFilter): string {
    switch (filter.type) {
      case 'text':
        return this.#text(filter)
      case 'number':
        return this.#number(filter)
      case 'boolean':
        return booleanCondition(this.column(filter.field), filter)
      case 'list':
        return this.#list(filter)
      case 'time':
        return this.#time(filter)
      default:
        return filter satisfies never
    }
  }

  #text(filter: TextFilter): string {
    const { field, operator, value } = filter
    if (field === 'id' && operator === 'contains' && /^r[0-9a-f]{7,13}$/.test(value))
      return `c.id = ${this.value(Number.parseInt(value.slice(1), 16))}::bigint`
    if (
      operator === 'contains' &&
      (field === 'wa_chatid' || field === 'wa_chatlid') &&
      /^\d[\d-]*@[a-z.]+$/.test(value)
    )
      // A value that contains a whole JID ends in it, so the index on the reversed text finds it.
      return `reverse(c."${field}") LIKE ${this.value(`${[...value].toReversed().join('')}%`)}`
    if (operator === 'contains' && field === 'wa_fastid' && value.startsWith(`${this.#owner}:`))
      return `c."wa_chatid" LIKE ${this.value(containing(value.slice(this.#owner.length + 1)).slice(1))}`
    const condition = textCondition(this.column(field), filter, (one) => this.value(one))
    const isPair = this.#byPairs && operator === 'contains' && PAIRED_FIELDS.has(field) && countLetters(value) === 2
    return isPair ? `(${mayContain('chat', this.value(value))} AND ${condition})` : condition
  }

  #number({ field, operator, value }: Extract<ChatFilter, { type: 'number' }>): string {
    if (operator === 'contains' || operator === 'notContains') {
      const sql = operator === 'contains' ? 'LIKE' : 'NOT LIKE'
      return `${this.column(field)}::text ${sql} ${this.value(containing(value))}`
    }
    const sql = operator === 'different' ? '<>' : operator === 'equal' ? '=' : operator
    const cast = Number.isSafeInteger(Number(value)) && !value.includes('.') ? 'bigint' : 'numeric'
    const column = field === 'wa_lastMsgTimestamp' ? `${this.#timeIn}."wa_lastMsgTimestamp"` : this.column(field)
    const condition = `${column} ${sql} ${this.value(value)}::${cast}`
    if (!this.#byUnread || field !== 'wa_unreadCount' || holdsForZero(operator, Number(value))) return condition
    this.needsActivity = true
    return `(a.is_unread AND ${condition})`
  }

  #list({ field, operator, value }: Extract<ChatFilter, { type: 'list' }>): string {
    const column = this.column(field)
    if (value.length === 0) return `${column} ${operator === 'contains' ? 'IN' : 'NOT IN'} ('', '[]')`
    const { has: hasOne, length } = field === 'wa_label' ? jsonList : commaList
    const has = value.map((one) => hasOne(column, one, (parameter) => this.value(parameter)))
    if (operator === 'contains') return has.join(' AND ')
    if (operator === 'notContains') return `NOT (${has.join(' OR ')})`
    return `NOT (${has.join(' AND ')} AND ${length(column)} = ${this.value(value.length)})`
  }

  #time({ field, operator, value }: Extract<ChatFilter, { type: 'time' }>): string {
    const column = this.column(field)
    if (operator === 'contains' || operator === 'notContains') {
      const sql = operator === 'contains' ? 'LIKE' : 'NOT LIKE'
      return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') ${sql} ${this.value(containing(value))}`
    }
    const sql = operator === 'different' ? '<>' : operator === 'equal' ? '=' : operator
    return `date_trunc('milliseconds', ${column}) ${sql} ${this.value(value)}::timestamptz`
  }
}

interface ListForm {
  /** A condition: the list has the text as an element, without regard to case. The ILIKE in it finds candidates by index. */
  has(column: string, element: string, parameter: (value: string) => string): string
  length(column: string): string
}

const jsonList: ListForm = {
  has: (column, element, parameter) =>
    // An id of a label stands between quotes and nowhere else.
    /^[\w.-]+$/.test(element)
      ? `${column} ILIKE ${parameter(containing(`"${element}"`))}`
      : `(${column} ILIKE ${parameter(containing(JSON.stringify(element)))} AND lower(${column})::jsonb ? lower(${parameter(element)}))`,
  length: (column) => `jsonb_array_length(${column}::jsonb)`,
}

/** `a,b`; an element has no comma. */
const commaList: ListForm = {
  has: (column, element, parameter) =>
    `(${column} ILIKE ${parameter(containing(element))} AND lower(${parameter(element)}) = ANY (string_to_array(lower(${column}), ',')))`,
  length: (column) => `cardinality(string_to_array(${column}, ','))`,
}

function joined(conditions: readonly string[], operator: 'AND' | 'OR'): string {
  if (conditions.length === 0) return 'true'
  return conditions.length === 1 ? String(conditions[0]) : conditions.map((one) => `(${one})`).join(` ${operator} `)
}

function holdsForZero(operator: Exclude<ChatFilter['operator'], 'contains' | 'notContains'>, value: number): boolean {
  switch (operator) {
    case 'equal':
      return value === 0
    case 'different':
      return value !== 0
    case '>=':
      return 0 >= value
    case '>':
      return 0 > value
    case '<=':
      return 0 <= value
    case '<':
      return 0 < value
    default:
      return operator satisfies never
  }
}

/** A pattern for LIKE in which the text stands for itself. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
