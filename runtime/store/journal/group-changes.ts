/** Writes the stored facts about groups, in the order of the changes. */
import type { GroupInfo } from '../../../schemas/group-info.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { textArray } from '../arrays.js'
import type { Write } from './batch.js'
import type { Statements } from './connection.js'
import type { RowKind } from './row-kind.js'

// $1 instance   $2 JIDs   $3 infos   $4 names   $5 their members' addresses, between commas
const KEEP = `
  INSERT INTO group_info (instance_id, jid, info, name, members)
  SELECT $1, u.jid, u.info, u.name, string_to_array(u.members, ',')
  FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS u(jid, info, name, members)
  ON CONFLICT (instance_id, jid) DO UPDATE SET info = EXCLUDED.info, name = EXCLUDED.name, members = EXCLUDED.members,
    is_doubtful = false, updated = now()`
// $1 instance   $2 JIDs
const FORGET_OTHERS = 'DELETE FROM group_info WHERE instance_id = $1 AND jid <> ALL($2::text[])'
// $1 instance   $2 JID
const FORGET = 'DELETE FROM group_info WHERE instance_id = $1 AND jid = $2'
const DOUBT = 'UPDATE group_info SET is_doubtful = true WHERE instance_id = $1 AND jid = $2'

export const groups = {
  types: ['group'],
  send(client: Statements, writes: readonly Write[]): Promise<unknown>[] {
    const sent: Promise<unknown>[] = []
    const keep = (instance: InstanceId, groups: readonly GroupInfo[]) =>
      client.query(KEEP, [
        instance,
        textArray(groups.map(({ jid }) => jid)),
        textArray(groups.map((group) => JSON.stringify(group))),
        textArray(groups.map(({ name }) => name)),
        textArray(groups.map(addressesIn)),
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
  },
} as const satisfies RowKind

/** Under which addresses its members are known. */
function addressesIn({ participants }: GroupInfo): string {
  const all = participants.flatMap(({ jid, other }) => (other === null ? [jid] : [jid, other]))
  return all.filter((jid) => !jid.includes(',')).join(',')
}
