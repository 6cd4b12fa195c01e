/** What is known of groups, in the order of the changes. */
import type { GroupInfo } from '../../../schemas/group-info.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { textArray } from '../arrays.js'
import type { Write } from './batch.js'
import type { Statements } from './connection.js'

// $1 instance   $2 JIDs   $3 infos
const KEEP = `
  INSERT INTO group_info (instance_id, jid, info) SELECT $1, * FROM unnest($2::text[], $3::text[])
  ON CONFLICT (instance_id, jid) DO UPDATE SET info = EXCLUDED.info, is_doubtful = false, updated = now()`
// $1 instance   $2 JIDs
const FORGET_OTHERS = 'DELETE FROM group_info WHERE instance_id = $1 AND jid <> ALL($2::text[])'
// $1 instance   $2 JID
const FORGET = 'DELETE FROM group_info WHERE instance_id = $1 AND jid = $2'
const DOUBT = 'UPDATE group_info SET is_doubtful = true WHERE instance_id = $1 AND jid = $2'

export function sendGroups(client: Statements, writes: readonly Write[]): Promise<unknown>[] {
  const sent: Promise<unknown>[] = []
  const keep = (instance: InstanceId, groups: readonly GroupInfo[]) =>
    client.query(KEEP, [
      instance,
      textArray(groups.map(({ jid }) => jid)),
      textArray(groups.map((group) => JSON.stringify(group))),
    ])
  for (const { instance, changes } of writes) {
    for (const change of changes) {
      if (change.type !== 'group') continue
      switch (change.kind) {
        case 'keep':
          sent.push(keep(instance, [change.group]))
          break
        case 'list':
          sent.push(client.query(FORGET_OTHERS, [instance, textArray(change.groups.map(({ jid }) => jid))]))
          sent.push(keep(instance, change.groups))
          break
        case 'forget':
          sent.push(client.query(FORGET, [instance, change.jid]))
          break
        case 'doubt':
          sent.push(client.query(DOUBT, [instance, change.jid]))
          break
        default:
          change satisfies never
      }
    }
  }
  return sent
}
