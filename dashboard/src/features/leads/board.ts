/** A board of leads by their status: pure, so that it is tested without a page. */
import type { Chat } from '../../../../schemas/generated.js'

export interface Column {
  readonly status: string
  readonly leads: readonly Chat[]
}

export interface Place {
  readonly status: string
  /** Place in the column, from 0. */
  readonly index: number
}

/** Distance of two cards at the end of a column. */
const GAP = 1_000

/** Returns the columns in the order of their first card; leads without a status come first. */
export function makeColumns(leads: readonly Chat[]): readonly Column[] {
  const byStatus = new Map<string, Chat[]>([['', []]])
  for (const one of leads) {
    const status = typeof one.lead_status === 'string' ? one.lead_status : ''
    const column = byStatus.get(status)
    if (column === undefined) byStatus.set(status, [one])
    else column.push(one)
  }
  return [...byStatus]
    .sort(([one], [other]) => (one === '' ? -1 : other === '' ? 1 : one.localeCompare(other)))
    .map(([status, column]) => ({ status, leads: column.toSorted((one, other) => readOrder(one) - readOrder(other)) }))
}

export function findCardPlace(columns: readonly Column[], id: string): Place | undefined {
  for (const { status, leads } of columns) {
    const index = leads.findIndex(({ wa_chatid }) => wa_chatid === id)
    if (index >= 0) return { status, index }
  }
  return undefined
}

/** Returns the place beside a place in a direction, or the same place at an edge. */
export function findBeside(columns: readonly Column[], place: Place, key: string, id: string): Place {
  const at = columns.findIndex(({ status }) => status === place.status)
  const countLeads = (column: Column | undefined) =>
    (column?.leads ?? []).filter(({ wa_chatid }) => wa_chatid !== id).length
  if (key === 'ArrowUp') return { ...place, index: Math.max(0, place.index - 1) }
  if (key === 'ArrowDown') return { ...place, index: Math.min(countLeads(columns[at]), place.index + 1) }
  const next = columns[at + (key === 'ArrowRight' ? 1 : -1)]
  return next === undefined ? place : { status: next.status, index: Math.min(countLeads(next), place.index) }
}

/**
 * Returns the numbers that put a card at a place: of the card alone if there is a number between its neighbours, else of it and the
 * cards on one side.
 */
export function chooseOrders(
  columns: readonly Column[],
  id: string,
  { status, index }: Place,
): ReadonlyMap<string, number> {
  const others = (columns.find((column) => column.status === status)?.leads ?? []).filter(
    ({ wa_chatid }) => wa_chatid !== id,
  )
  const [before, after] = [others[index - 1], others[index]]
  const low = before === undefined ? undefined : readOrder(before)
  const high = after === undefined ? undefined : readOrder(after)
  if (high === undefined) return new Map([[id, (low ?? 0) + GAP]])
  if (high - (low ?? high - 2 * GAP) >= 2) return new Map([[id, Math.floor(((low ?? high - 2 * GAP) + high) / 2)]])
  const ids = others.map(({ wa_chatid }) => wa_chatid)
  ids.splice(index, 0, id)
  // Cards that were never moved all have 0. The side with fewer cards is numbered again.
  if (index + 1 <= ids.length - index)
    return new Map(ids.slice(0, index + 1).map((one, place) => [one, high - (index + 1 - place) * GAP]))
  return new Map(ids.slice(index).map((one, place) => [one, (low ?? 0) + (place + 1) * GAP]))
}

/** Returns the columns with a card at another place. */
export function moveCard(columns: readonly Column[], id: string, { status, index }: Place): readonly Column[] {
  const card = columns.flatMap(({ leads }) => leads).find(({ wa_chatid }) => wa_chatid === id)
  if (card === undefined) return columns
  return columns.map((column) => {
    const leads = column.leads.filter(({ wa_chatid }) => wa_chatid !== id)
    if (column.status === status) leads.splice(index, 0, card)
    return { ...column, leads }
  })
}

function readOrder({ lead_kanbanOrder = 0 }: Chat): number {
  return lead_kanbanOrder
}
