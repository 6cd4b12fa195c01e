/** Types only. */

import type { GroupInfo } from '../group-info.js'
import type { InstanceId } from '../ids.js'

/** Groups in parts, in the order of their JIDs: all of a page may be a hundred megabytes. */
export type GroupParts = AsyncIterable<readonly GroupInfo[]>

export interface GroupDirectory {
  /** As stored. */
  all(instance: InstanceId): GroupParts
  /** Finds the groups with the search text in their name, in any case; `total`: their number. */
  page(
    instance: InstanceId,
    query: { readonly search: string; readonly limit: number; readonly offset: number },
  ): Promise<{ readonly groups: GroupParts; readonly total: number }>
}
