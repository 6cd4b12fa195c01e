import type pg from 'pg'
import type { InstanceId } from '../../../schemas/ids.js'
import { intArray, textArray } from '../arrays.js'
import type { TransferRow } from './row-checks.js'
import { invalidExport } from './sealed-file.js'

interface Tally {
  rows: number
  taken: number
  parked: number
}

// $2 campaigns   $3 recipients   $4 under way   $5 parked
const CORRECT = `
  UPDATE campaign_progress AS p SET total = p.deleted + u.total, taken = u.taken, parked = u.parked
  FROM unnest($2::text[], $3::int[], $4::int[], $5::int[]) AS u(folder_id, total, taken, parked)
  WHERE p.instance_id = $1 AND p.folder_id = u.folder_id`

/** Counts the recipients of an imported file. Counters that said otherwise would keep a campaign from ending, or evade the limits. */
export class CampaignTally {
  readonly #found = new Map<unknown, Tally>()
  readonly #counted = new Set<unknown>()

  /** Takes a row of any table. @throws GatewayError INVALID_EXPORT if it is of no campaign of the file */
  take(table: string, row: TransferRow): void {
    if (table === 'campaign') this.#found.set(row.id, { rows: 0, taken: 0, parked: 0 })
    if (table !== 'campaign_progress' && table !== 'campaign_recipient') return
    const { folder_id: id, status, place } = row
    const tally = this.#found.get(id)
    if (tally === undefined)
      throw invalidExport(`A row of ${table} names the campaign ${String(id)}, which is not in the file.`)
    if (table === 'campaign_progress') {
      this.#counted.add(id)
      return
    }
    tally.rows += 1
    if (status === 1) tally.taken += 1
    if (place === 2) tally.parked += 1
  }

  /** Writes what was counted. @throws GatewayError INVALID_EXPORT if a campaign has no counters */
  async correct(client: pg.ClientBase, instance: InstanceId): Promise<void> {
    const ids = [...this.#found.keys()].map(String)
    const lacking = ids.find((id) => !this.#counted.has(id))
    if (lacking !== undefined) throw invalidExport(`The campaign ${lacking} has no counters in the file.`)
    if (ids.length === 0) return
    const tallies = [...this.#found.values()]
    await client.query(CORRECT, [
      instance,
      textArray(ids),
      ...(['rows', 'taken', 'parked'] as const).map((one) => intArray(tallies.map((tally) => tally[one]))),
    ])
  }
}
