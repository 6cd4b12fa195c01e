/** Finds the other address of people whom the events and messages of a batch name by one address. */
import type { InstanceId, Jid } from '../../../schemas/ids.js'
import type { NamedPerson } from '../../../schemas/jid.js'
import { type ChatAddress, isLidJid, toChatAddress } from '../../../schemas/jid.js'
import type { NewMessage } from '../../../schemas/stored-fields.js'
import { textArray } from '../arrays.js'
import { joinKey } from './batch.js'
import type { Statements } from './connection.js'
import type { ContactChanges } from './contact-changes.js'

// $1 instances   $2 JIDs
const FIND = `
  SELECT u.instance_id, u.jid, o.other, (
    SELECT k.username FROM contact AS k WHERE k.instance_id = u.instance_id AND k.jid IN (u.jid, o.other) AND k.username <> '' LIMIT 1
  ) AS username
  FROM unnest($1::text[], $2::text[]) AS u(instance_id, jid)
  CROSS JOIN LATERAL (SELECT COALESCE(
    (SELECT pn FROM lid_mapping AS m WHERE m.instance_id = u.instance_id AND m.lid = u.jid),
    (SELECT lid FROM lid_mapping AS m WHERE m.instance_id = u.instance_id AND m.pn = u.jid ORDER BY updated DESC LIMIT 1)
  ) AS other) AS o`

interface Wanted {
  readonly instance: InstanceId
  readonly jid: Jid
}

interface Found {
  readonly other: Jid | null
  readonly username: string | null
}

export class KnownPeople {
  /** Contacts of the same batch. Their usernames are newer than those that were looked up. */
  readonly #changedRow: ContactChanges['changedRow']
  readonly #wanted = new Map<string, Wanted>()
  readonly #found = new Map<string, Found>()
  /** True if messages wait for the other address of their sender. */
  hasSenders = false

  constructor(changedRow: ContactChanges['changedRow']) {
    this.#changedRow = changedRow
  }

  /** Notes a person. Groups, and people with both addresses, need no look at the store unless their username is wanted. */
  want(instance: InstanceId, person: ChatAddress, withUsername = false): void {
    const jid = withUsername ? personJid(person) : onlyJid(person)
    if (jid !== undefined) this.#wanted.set(joinKey(instance, jid), { instance, jid })
  }

  /**
   * Notes the sender of a message. Those of the account itself are known. `isNamed`: an event names the sender, who is not the chat, by the
   * username too.
   */
  wantSender(instance: InstanceId, message: NewMessage, isNamed: boolean): void {
    if (message.fromMe) return
    const sender = findSender(message)
    this.want(instance, sender, isNamed)
    if (onlyJid(sender) !== undefined) this.hasSenders = true
  }

  /** Runs after the mappings of the batch are written, so that a person is known by what the same batch tells. */
  async apply(client: Statements): Promise<void> {
    const all = [...this.#wanted.values()]
    if (all.length === 0) return
    this.#wanted.clear()
    const { rows } = await client.query<Found & { instance_id: string; jid: Jid }>(FIND, [
      textArray(all.map(({ instance }) => instance)),
      textArray(all.map(({ jid }) => jid)),
    ])
    for (const { instance_id, jid, other, username } of rows)
      this.#found.set(joinKey(instance_id, jid), { other, username })
  }

  /** Returns the person with both addresses and the username, as far as they are known. */
  named(instance: InstanceId, person: ChatAddress): NamedPerson {
    const jid = personJid(person)
    const found = jid === undefined ? undefined : this.#found.get(joinKey(instance, jid))
    if (jid === undefined || found === undefined) return person
    const isWhole = onlyJid(person) === undefined || found.other === null
    const address = isWhole ? person : toChatAddress(jid, found.other)
    const changed = this.#changedRow(instance, { address })
    return { ...address, username: changed?.username ?? found.username ?? '' }
  }

  /** Returns the message with both addresses of its sender, if they are known. */
  withSender(instance: InstanceId, message: NewMessage): NewMessage {
    if (message.fromMe || !this.hasSenders) return message
    const before = findSender(message)
    const { pn, lid } = this.named(instance, before)
    if (pn === undefined || lid === undefined || (pn === before.pn && lid === before.lid)) return message
    return { ...message, sender: pn, senderPn: pn, senderLid: lid }
  }
}

/** Returns the address of who wrote a message. */
export function findSender({ sender, senderPn, senderLid }: NewMessage): ChatAddress {
  return toChatAddress(senderPn ?? senderLid ?? sender, senderPn === undefined ? null : (senderLid ?? null))
}

/** Returns the address of a person of whom no other is known. */
function onlyJid(person: ChatAddress): Jid | undefined {
  return person.pn !== undefined && person.lid !== undefined ? undefined : personJid(person)
}

function personJid({ group, pn, lid }: ChatAddress): Jid | undefined {
  const jid = group === undefined ? (pn ?? lid) : undefined
  return jid === undefined || !isPerson(jid) ? undefined : jid
}

function isPerson(jid: Jid): boolean {
  return isLidJid(jid) || jid.endsWith('@s.whatsapp.net')
}
