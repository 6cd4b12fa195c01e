/** The instance rows of a batch: what the actor set, and when the instance was last active. */

import type { InstanceId } from '../../../schemas/ids.js'
import { readUser } from '../../../schemas/jid.js'
import type { InstanceFields } from '../../../schemas/stored-fields.js'
import { bigintArray, boolArray, textArray, timeArray } from '../arrays.js'
import type { InstanceFacts } from './batch.js'
import type { Statements } from './connection.js'

// Null keeps a column, but for the two addresses, which have a flag each.
// $1 ids  $2 epochs  $3 status  $4 owner_jid given  $5 owner_jid  $6 owner_lid given  $7 owner_lid  $8 profile_name
// $9 profile_pic_url  $10 is_business  $11 platform  $12 last_disconnect  $13 reason  $14 desired_connected  $15 last_activity_at
// $16 call_settings  $17 limits  $18 presence  $19 opt_out_words  $20 watched  $21 profile_username  $22 reading_settings
const UPDATE_INSTANCES = `
  UPDATE instance AS i SET
    status = COALESCE(u.status, i.status),
    status_epoch = CASE WHEN u.status IS NULL THEN i.status_epoch ELSE u.epoch END,
    owner_jid = CASE WHEN u.has_jid THEN u.owner_jid ELSE i.owner_jid END,
    owner_lid = CASE WHEN u.has_lid THEN u.owner_lid ELSE i.owner_lid END,
    profile_name = COALESCE(u.profile_name, i.profile_name),
    profile_username = COALESCE(u.profile_username, i.profile_username),
    profile_pic_url = COALESCE(u.profile_pic_url, i.profile_pic_url),
    is_business = COALESCE(u.is_business, i.is_business),
    platform = COALESCE(u.platform, i.platform),
    last_disconnect = COALESCE(to_timestamp(u.last_disconnect_ms / 1000.0), i.last_disconnect),
    last_disconnect_reason = COALESCE(u.reason, i.last_disconnect_reason),
    desired_connected = COALESCE(u.desired, i.desired_connected),
    call_settings = COALESCE(u.call_settings, i.call_settings),
    reading_settings = COALESCE(u.reading_settings, i.reading_settings),
    limits = COALESCE(u.limits, i.limits),
    presence = COALESCE(u.presence, i.presence),
    opt_out_words = COALESCE(u.opt_out_words, i.opt_out_words),
    watched = COALESCE(u.watched, i.watched),
    last_activity_at = COALESCE(to_timestamp(u.activity_ms / 1000.0), i.last_activity_at),
    updated = now()
  FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bool[], $5::text[], $6::bool[], $7::text[], $8::text[], $9::text[],
    $10::bool[], $11::text[], $12::bigint[], $13::text[], $14::bool[], $15::bigint[], $16::text[], $17::text[], $18::text[],
    $19::text[], $20::text[], $21::text[], $22::text[])
    AS u(id, epoch, status, has_jid, owner_jid, has_lid, owner_lid, profile_name, profile_pic_url, is_business, platform,
      last_disconnect_ms, reason, desired, activity_ms, call_settings, limits, presence, opt_out_words, watched,
      profile_username, reading_settings)
  WHERE i.id = u.id`

/** Minimum time between two writes of the activity, which only orders the connections at a start. */
const ACTIVITY_MS = 60_000

export class InstanceChanges {
  readonly #set = new Map<InstanceId, InstanceFields & { lastActivityAt?: Date }>()
  readonly #changed = new Set<InstanceId>()

  add(facts: InstanceFacts, fields: InstanceFields): void {
    this.#set.set(facts.id, { ...this.#set.get(facts.id), ...fields })
    this.#changed.add(facts.id)
    if (fields.ownerJid !== undefined) facts.owner = fields.ownerJid === null ? '' : readUser(fields.ownerJid)
  }

  /** A live message came or went. `lastWritten` is kept by the journal over batches. */
  addActivity(instance: InstanceId, now: Date, lastWritten: { get(id: string): number | undefined }): void {
    if (now.getTime() - (lastWritten.get(instance) ?? 0) < ACTIVITY_MS) return
    const known = this.#set.get(instance)
    if (known?.lastActivityAt === undefined) this.#set.set(instance, { ...known, lastActivityAt: now })
  }

  /** Instances of which the actor set something. */
  changedInstances(): InstanceId[] {
    return [...this.#changed]
  }

  /** Instances whose activity this batch writes. */
  activeInstances(): InstanceId[] {
    return [...this.#set].filter(([, fields]) => fields.lastActivityAt !== undefined).map(([id]) => id)
  }

  send(client: Statements, facts: ReadonlyMap<string, InstanceFacts>): Promise<unknown>[] {
    if (this.#set.size === 0) return []
    const ids = [...this.#set.keys()]
    const all = [...this.#set.values()]
    return [
      client.query(UPDATE_INSTANCES, [
        textArray(ids),
        bigintArray(ids.map((id) => facts.get(id)?.epoch)),
        textArray(all.map((one) => one.status)),
        boolArray(all.map((one) => one.ownerJid !== undefined)),
        textArray(all.map((one) => one.ownerJid)),
        boolArray(all.map((one) => one.ownerLid !== undefined)),
        textArray(all.map((one) => one.ownerLid)),
        textArray(all.map((one) => one.profileName)),
        textArray(all.map((one) => one.profilePicUrl)),
        boolArray(all.map((one) => one.isBusiness)),
        textArray(all.map((one) => one.platform)),
        timeArray(all.map((one) => one.lastDisconnectAt)),
        textArray(all.map((one) => one.lastDisconnectReason)),
        boolArray(all.map((one) => one.desiredConnected)),
        timeArray(all.map((one) => one.lastActivityAt)),
        textArray(all.map((one) => one.callSettings)),
        textArray(all.map((one) => one.limits)),
        textArray(all.map((one) => one.presence)),
        textArray(all.map((one) => one.optOutWords)),
        textArray(all.map((one) => one.watched)),
        textArray(all.map((one) => one.profileUsername)),
        textArray(all.map((one) => one.readingSettings)),
      ]),
    ]
  }
}
