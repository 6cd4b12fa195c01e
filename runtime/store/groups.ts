/** Groups as the API lists them. */
import type pg from 'pg'
import type { GroupDirectory } from '../../api/ports.js'
import type { GroupInfo } from '../../schemas/group-info.js'

export function createGroups(pool: pg.Pool): GroupDirectory {
  return {
    async list(instance) {
      const { rows } = await pool.query<{ info: string }>(
        'SELECT info FROM group_info WHERE instance_id = $1 ORDER BY jid',
        [instance],
      )
      return rows.map(({ info }) => JSON.parse(info) as GroupInfo)
    },
  }
}
