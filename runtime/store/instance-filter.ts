/** Conditions of a filter over instances, for the list and for changes of many at once. */
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceFilter } from '../../schemas/generated.js'
import { cleanTag } from '../../schemas/instance-tags.js'
import { searchedDigits } from '../../schemas/searched-numbers.js'
import { containing } from './chat-search.js'
import { PRESENT_STATUS } from './instance-rows.js'

// Bound: 65,536, a filter of a request.

/** Digits of the own number of the instance `i`. */
const NUMBER = `split_part(split_part(i.owner_jid, '@', 1), ':', 1)`
/** Cause of the newest change of the connection of the instance `i`; empty while it is connected. */
const LAST_CAUSE = `(SELECT h.cause FROM connection_history AS h WHERE h.instance_id = i.id ORDER BY h.position DESC LIMIT 1)`
/** Condition on the instance `i`: its account is known. */
export const IS_PAIRED = '(i.owner_jid IS NOT NULL OR i.owner_lid IS NOT NULL)'
/** NODE_ID of the owner of the instance `i`. The owner of a shard is one life of a process. */
export const NODE_NAME = `COALESCE((SELECT n.node_id FROM node AS n WHERE n.incarnation = o.owner), o.owner)`

/**
 * Returns the condition of a filter on `INSTANCE_TABLES`, and adds its values to `values`. An empty filter fits all instances.
 * @throws GatewayError INVALID_REQUEST when a time is none
 */
export function instanceCondition(filter: InstanceFilter, values: unknown[]): string {
  const conditions: string[] = []
  const value = (given: unknown): string => `$${values.push(given)}`
  const contains = (text: string, ...columns: string[]): void => {
    const pattern = value(containing(clean(text)))
    conditions.push(`(${columns.map((column) => `${column} ILIKE ${pattern}`).join(' OR ')})`)
  }
  const is = (asked: boolean | undefined, condition: string): void => {
    if (asked !== undefined) conditions.push(asked ? condition : `NOT ${condition}`)
  }
  const time = (field: 'createdBefore' | 'createdAfter' | 'inactiveSince', condition: (at: string) => string): void => {
    const text = filter[field]
    if (text !== undefined) conditions.push(condition(`${value(parseTime(field, text))}::timestamptz`))
  }

  if (filter.search !== undefined) conditions.push(searchCondition(clean(filter.search), value))
  if (filter.status !== undefined) conditions.push(`(${PRESENT_STATUS}) = ANY(${value(filter.status)}::text[])`)
  if (filter.name !== undefined) contains(filter.name, 'i.name')
  if (filter.number !== undefined)
    conditions.push(`${NUMBER} LIKE ANY(${value(numberPatterns(filter.number))}::text[])`)
  if (filter.notes !== undefined) contains(filter.notes, 'i.admin_field_01', 'i.admin_field_02')
  if (filter.reason !== undefined) contains(filter.reason, 'i.last_disconnect_reason')
  if (filter.cause !== undefined) conditions.push(`${LAST_CAUSE} = ANY(${value(filter.cause)}::text[])`)
  if (filter.node !== undefined) conditions.push(ownedByAny(value([clean(filter.node)])))
  if (filter.tags !== undefined) conditions.push(`i.tags @> ${value(filter.tags.map(cleanTag))}::text[]`)
  if (filter.withoutTags !== undefined)
    conditions.push(`NOT i.tags && ${value(filter.withoutTags.map(cleanTag))}::text[]`)
  is(filter.paired, IS_PAIRED)
  is(filter.wanted, 'i.desired_connected')
  is(filter.exported, '(i.exported_at IS NOT NULL)')
  time('createdBefore', (at) => `i.created < ${at}`)
  time('createdAfter', (at) => `i.created >= ${at}`)
  time('inactiveSince', (at) => `(i.last_activity_at IS NULL OR i.last_activity_at < ${at})`)
  return conditions.length === 0 ? 'true' : conditions.join(' AND ')
}

/** Returns the condition that one of these nodes owns the instance `i`. A node has the name NODE_ID, and one of each life of its process. */
export function ownedByAny(names: string): string {
  return `(o.owner = ANY(${names}::text[]) OR o.owner IN (SELECT n.incarnation FROM node AS n WHERE n.node_id = ANY(${names}::text[])))`
}

/** Looks for a text in everything that people know of an instance. A few digits would be part of most numbers. */
function searchCondition(text: string, value: (given: unknown) => string): string {
  const pattern = value(containing(text))
  const columns = ['i.name', 'i.profile_name', 'i.admin_field_01', 'i.admin_field_02']
  const conditions = [`i.id = ${value(text)}`, ...columns.map((column) => `${column} ILIKE ${pattern}`)]
  const patterns = searchedDigits(text).flatMap((digits) => (digits.length < 3 ? [] : [containing(digits)]))
  if (patterns.length > 0) conditions.push(`${NUMBER} LIKE ANY(${value(patterns)}::text[])`)
  return `(${conditions.join(' OR ')})`
}

/** Rejects a leap second: it has the form of a time, and is no `Date`. */
function parseTime(field: string, text: string): Date {
  const time = new Date(text)
  if (!Number.isNaN(time.getTime())) return time
  throw new GatewayError('INVALID_REQUEST', {
    message: `Invalid request: filter.${field} is not a time.`,
    details: [{ field: `filter.${field}`, why: 'is not a time' }],
  })
}

/** A text that is no number is looked up by its digits, if it has some. */
function numberPatterns(text: string): readonly string[] {
  const digits = searchedDigits(text)
  return (digits.length === 0 ? [text.replace(/[^0-9]/g, '')] : digits).map(containing)
}

/** Removes NUL, which PostgreSQL refuses in text. */
function clean(text: string): string {
  return text.replaceAll('\0', '')
}
