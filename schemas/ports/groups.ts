/** Types only. */

import type { GroupInfo } from '../group-info.js'
import type { InstanceId } from '../ids.js'

export interface GroupDirectory {
  /** As stored, in the order of the JIDs. */
  list(instance: InstanceId): Promise<readonly GroupInfo[]>
  /** Finds the groups with the search text in their name, in any case; `total`: their number. */
  page(
    instance: InstanceId,
    query: { readonly search: string; readonly limit: number; readonly offset: number },
  ): Promise<{ readonly groups: readonly GroupInfo[]; readonly total: number }>
}
