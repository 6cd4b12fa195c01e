/** What of an instance travels from one installation to another. */

type Row = Readonly<Record<string, unknown>>

export interface CarriedTable {
  readonly name: string
  /** The column that names the instance. */
  readonly instance: 'id' | 'instance_id'
  readonly order: string
  /** Columns that are made anew. */
  readonly left?: readonly string[]
  /** A column that is encrypted at rest, and what it is bound to there. */
  readonly sealed?: { readonly column: string; readonly place: (row: Row) => readonly string[] }
  /** A column with the id of a chat: each installation numbers its chats itself. */
  readonly chat?: string
  /** Only when it is wanted. */
  readonly option?: 'webhooks' | 'messages'
}

const text = (value: unknown): string => String(value)

/** In the order in which they are written: chats come before what names them. */
export const CARRIED_TABLES: readonly CarriedTable[] = [
  {
    name: 'instance',
    instance: 'id',
    order: 'id',
    left: ['number', 'status', 'status_epoch', 'desired_connected', 'exported_at'],
  },
  // Goes on where it was, so that readers of streams can resume.
  { name: 'event_sequence', instance: 'instance_id', order: 'instance_id' },
  {
    name: 'instance_credentials',
    instance: 'instance_id',
    order: 'instance_id',
    sealed: { column: 'data', place: (row) => [text(row.instance_id), 'credentials'] },
  },
  {
    name: 'signal_key',
    instance: 'instance_id',
    order: 'kind, id',
    sealed: { column: 'data', place: (row) => [text(row.instance_id), text(row.kind), text(row.id)] },
  },
  // Whoever has the token or a key goes on with it there.
  { name: 'access_key', instance: 'instance_id', order: 'id' },
  { name: 'lid_mapping', instance: 'instance_id', order: 'lid' },
  { name: 'contact', instance: 'instance_id', order: 'jid' },
  { name: 'chat', instance: 'instance_id', order: 'id', chat: 'id' },
  { name: 'chat_alias', instance: 'instance_id', order: 'jid', chat: 'chat_id' },
  { name: 'label', instance: 'instance_id', order: 'labelid' },
  { name: 'blocked', instance: 'instance_id', order: 'jid' },
  { name: 'group_info', instance: 'instance_id', order: 'jid' },
  { name: 'quick_reply', instance: 'instance_id', order: 'is_of_phone, id' },
  { name: 'agent_function', instance: 'instance_id', order: 'id' },
  { name: 'knowledge', instance: 'instance_id', order: 'id' },
  {
    name: 'webhook',
    instance: 'instance_id',
    order: 'id',
    sealed: { column: 'secret', place: (row) => ['webhook', text(row.id)] },
    option: 'webhooks',
  },
  {
    name: 'message',
    instance: 'instance_id',
    order: 'position',
    left: ['position'],
    sealed: { column: 'proto', place: (row) => [text(row.instance_id), 'proto', text(row.messageid)] },
    chat: 'chat_id',
    option: 'messages',
  },
]

/** Stays behind: what is still to be delivered is delivered from here, and what can be counted is counted anew. */
export const LEFT_TABLES: readonly string[] = [
  'event',
  'delivery',
  'dead_letter',
  'webhook_error',
  'chat_activity',
  'chat_count',
  'chat_lead_count',
  'group_member',
  'contact_count',
]
