/** The tables as the typed query builder sees them; migrations/*.sql is the truth. */
import type { Generated, GeneratedAlways } from 'kysely'

export interface Tables {
  meta: { key: string; value: string }
  shard_owner: { shard: number; owner: string | null; epoch: number; updated: Generated<Date> }
  instance: InstanceTable
  access_key: AccessKeyTable
  event_sequence: { instance_id: string; last: number }
  instance_credentials: { instance_id: string; data: Buffer; updated: Generated<Date> }
  signal_key: { instance_id: string; kind: string; id: string; data: Buffer }
  chat_alias: { instance_id: string; jid: string; chat_id: number }
  lid_mapping: { instance_id: string; lid: string; pn: string; updated: Generated<Date> }
  event: EventTable
  webhook: WebhookTable
  delivery: DeliveryTable
  dead_letter: DeadLetterTable
  webhook_error: WebhookErrorTable
}

export interface InstanceTable {
  id: string
  number: GeneratedAlways<number>
  name: string
  system_name: string
  admin_field_01: string
  admin_field_02: string
  token_hash: Buffer
  status: Generated<string>
  status_epoch: Generated<number>
  desired_connected: Generated<boolean>
  owner_jid: string | null
  owner_lid: string | null
  profile_name: Generated<string>
  profile_pic_url: Generated<string>
  is_business: Generated<boolean>
  platform: Generated<string>
  last_disconnect: Date | null
  last_disconnect_reason: Generated<string>
  last_activity_at: Date | null
  /** JSON, from custom lead field to name. */
  fields_map: Generated<string>
  /** Since when it is another installation's. */
  exported_at: Date | null
  /** Until when its pairing counts against QR_INSTANCES_MAX. */
  pairing_ends: Date | null
  /** Until when its scan holds a place of INSTANCES_MAX. */
  admitted_until: Date | null
  created: Generated<Date>
  updated: Generated<Date>
}

export interface AccessKeyTable {
  instance_id: string
  id: string
  hash: Buffer
  kind: string
  name: Generated<string>
  scopes: Generated<string[]>
  chat: string | null
  created: Generated<Date>
  ends: Date | null
}

export interface EventTable {
  instance_id: string
  sequence: number
  position: GeneratedAlways<number>
  event_id: string
  kind: string
  chat_id: number | null
  flags: number | null
  body: string
  created: Generated<Date>
  traceparent: string | null
}

export interface WebhookTable {
  id: string
  instance_id: string | null
  enabled: boolean
  url: string
  events: string[]
  exclude_messages: string[]
  add_url_events: boolean
  add_url_types_messages: boolean
  secret: Buffer
  created: Generated<Date>
  updated: Generated<Date>
}

export interface DeliveryTable {
  webhook_id: string
  lane: number
  position: number
  instance_id: string
  attempts: Generated<number>
  next_attempt_at: Generated<Date>
  last_error: Generated<string>
  created: Generated<Date>
}

export interface DeadLetterTable {
  webhook_id: string
  position: number
  lane: number
  instance_id: string
  attempts: number
  last_error: string
  url: Generated<string>
  status_code: Generated<number>
  created: Generated<Date>
}

export interface WebhookErrorTable {
  id: GeneratedAlways<number>
  webhook_id: string
  instance_id: string | null
  url: string
  event: string
  message_type: string
  status_code: number
  attempts: number
  error: string
  payload: string
  created: Generated<Date>
}
