/** Counts for how many recipients of a campaign a placeholder has no value. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Jid } from '../../schemas/ids.js'
import { type FieldsMap, placeholderFields } from '../../schemas/lead-fields.js'
import { placeholderFieldNames, placeholderValues } from '../../schemas/placeholders.js'
import type { PlaceholderProblem } from '../../schemas/ports/campaign-imports.js'
import type { ChatValues } from '../../schemas/ports/chat-values.js'

/** A placeholder for which the list of a campaign has no value. */
export interface LackedPlaceholder {
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

export class PlaceholderTally {
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
    const columns = new Set([...fields.values()].flatMap(columnsOf))
    const chats = asked.size === 0 ? new Map() : await this.#chats.valuesOf([...asked], [...columns], LENGTH_MAX)
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

function columnsOf(field: string | undefined): readonly string[] {
  if (field === undefined) return []
  return placeholderFields.has(field) ? [field] : NAME_FIELDS
}
