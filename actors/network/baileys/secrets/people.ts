import type { InstanceId, Jid } from '../../../../schemas/ids.js'
import { bareJid, type ChatAddress } from '../../../../schemas/jid.js'
import type { MessageForActor } from '../../../../schemas/stored-message.js'
import type { InstanceReader } from '../../../instance/instance-reader.js'
import type { InstanceJournal } from '../../../instance/ports.js'

/** Store of people's addresses. */
interface PeopleStore {
  readonly instance: InstanceId
  readonly reader: Pick<InstanceReader, 'mapping'>
}

/** Store of messages and their changes. */
export interface ChangeStore extends PeopleStore {
  readonly journal: Pick<InstanceJournal, 'settled'>
  readonly reader: Pick<InstanceReader, 'keys' | 'mapping' | 'messagesById' | 'pollVotes'>
}

/** Addresses of the account itself. */
export type Own = { readonly jid: string; readonly lid: string | null }

/** Returns both addresses of the author of a stored message, as far as they are known. */
export function findAuthor(message: MessageForActor, own: Own, store: PeopleStore): Promise<string[]> {
  const { fromMe, sender, record } = message
  const jids = fromMe
    ? listJids(own.jid, own.lid)
    : listJids(sender, String(record.sender_pn ?? ''), String(record.sender_lid ?? ''))
  return withOther(jids, store)
}

/** Returns both addresses of a person. The one under which a message came is first. */
export function findBoth({ pn, lid }: ChatAddress, store: PeopleStore, first?: string): Promise<string[]> {
  return withOther(listJids(first, pn, lid), store)
}

function listJids(...jids: readonly (string | null | undefined)[]): string[] {
  return [...new Set(jids.flatMap((jid) => (jid ? [bareJid(jid)] : [])))]
}

/** Adds the other address from the store, if only one is given. */
async function withOther(jids: readonly string[], { reader, instance }: PeopleStore): Promise<string[]> {
  const [only] = jids
  const other = jids.length === 1 ? await reader.mapping(instance, only as Jid) : null
  return other === null ? [...jids] : [...jids, other]
}
