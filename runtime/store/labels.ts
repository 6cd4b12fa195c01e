/** Labels as the API lists them. */
import type pg from 'pg'
import type { LabelDirectory } from '../../schemas/ports/records.js'
import { recordTime } from './time.js'

// Ours: names of columns.

interface LabelRow {
  readonly labelid: string
  readonly name: string
  readonly color: number
  readonly created: Date
  readonly updated: Date
}

/** Colours of the network's clients, by their number. */
const PALETTE = (
  'ff9484 64c4ff fed428 dfaef0 9ab6c1 56ccb4 fe9dfe d3a91f 6f7bcf d8e651 ' +
  '01d0e2 ffc5c7 92ceac f64847 00a1f2 83e421 ffae04 b4ebff 9ba6ff 9568cf'
).split(' ')

export function createLabels(pool: pg.Pool): LabelDirectory {
  return {
    async list({ id, owner }) {
      const { rows } = await pool.query<LabelRow>(
        'SELECT labelid, name, color, created, updated FROM label WHERE instance_id = $1 ORDER BY length(labelid), labelid',
        [id],
      )
      return rows.map(({ labelid, name, color, created, updated }) => ({
        id: labelid,
        labelid,
        name,
        color,
        colorHex: PALETTE[color] ?? '',
        owner,
        created: recordTime(created),
        updated: recordTime(updated),
      }))
    },
  }
}
