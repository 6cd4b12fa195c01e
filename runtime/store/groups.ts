/** Groups as the API lists them. */
import type pg from 'pg'
import type { GroupInfo } from '../../schemas/group-info.js'
import type { GroupDirectory } from '../../schemas/ports/groups.js'
import { containing } from './chat-search.js'
import { createSearch, SEARCH_TIMEOUT_MS } from './timed-search.js'

export function createGroups(pool: pg.Pool, searchTimeoutMs = SEARCH_TIMEOUT_MS): GroupDirectory {
  const search = createSearch(pool, searchTimeoutMs)
  return {
    async list(instance) {
      const rows = await search<{ info: string }>('SELECT info FROM group_info WHERE instance_id = $1 ORDER BY jid', [
        instance,
      ])
      return rows.map(({ info }) => JSON.parse(info) as GroupInfo)
    },

    async page(instance, { search: name, limit, offset }) {
      const where = 'FROM group_info WHERE instance_id = $1 AND name ILIKE $2'
      const values = [instance, containing(name)]
      const [page, counted] = await Promise.all([
        search<{ info: string }>(`SELECT info ${where} ORDER BY jid LIMIT $3 OFFSET $4`, [...values, limit, offset]),
        search<{ total: number }>(`SELECT count(*)::int AS total ${where}`, values),
      ])
      return { groups: page.map(({ info }) => JSON.parse(info) as GroupInfo), total: counted[0]?.total ?? 0 }
    },
  }
}
