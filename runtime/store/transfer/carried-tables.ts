/** Tables of an instance that travel from one installation to another. */
import { CAMPAIGN_RECIPIENTS_MAX, STORED_CAMPAIGNS_MAX, STORED_RECIPIENTS_MAX } from '../../../schemas/campaign.js'
import {
  agentLimit,
  functionLimit,
  knowledgeLimit,
  phoneQuickReplyLimit,
  quickReplyLimit,
  type RecordLimit,
  suppressionLimit,
  triggerLimit,
} from '../../../schemas/record-limits.js'
import { FIRST_SEND_KIND } from '../../../schemas/sealed-kinds.js'

type Row = Readonly<Record<string, unknown>>

interface SealedValue {
  readonly column: string
  /** What it is bound to there. */
  readonly place: (row: Row) => readonly string[]
}

export interface CarriedTable {
  readonly name: string
  /** The column that names the instance. */
  readonly instance: 'id' | 'instance_id'
  readonly order: string
  /** SQL condition on its rows. Others stay behind. */
  readonly only?: string
  /** Columns with times that may lie ahead. */
  readonly ahead?: readonly string[]
  /** Columns of JSON that name files. The files stay behind, and the names with them. */
  readonly files?: readonly string[]
  /** Columns that are made again. */
  readonly left?: readonly string[]
  /** Columns that are encrypted at rest. */
  readonly sealed?: readonly SealedValue[]
  /** A column with the id of a chat: each installation numbers its chats itself. */
  readonly chat?: string
  /** Only when it is wanted. */
  readonly option?: 'webhooks' | 'messages'
  /** Maximum of its rows in a file. More would exceed the limits of the API, or be no account of this network. */
  readonly rowsMax: number
  /** Minimum of its rows in a file. */
  readonly rowsMin?: number
  /** Maximum of bytes of all its rows in the file, for records that the API lists as a whole. */
  readonly bytesMax?: number
}

const text = (value: unknown): string => String(value)
/** JSON escapes a byte with up to six, and a row has names of columns around it. */
const sumBytes = (...limits: readonly RecordLimit[]): number =>
  limits.reduce((sum, { bytesMax, countMax }) => sum + 2 * bytesMax + 2_000 * countMax, 0)

/** In the order in which they are written: chats come before what names them. */
export const CARRIED_TABLES: readonly CarriedTable[] = [
  {
    name: 'instance',
    instance: 'id',
    order: 'id',
    left: [
      'number',
      'status',
      'status_epoch',
      'desired_connected',
      'is_stopped',
      'exported_at',
      'pairing_ends',
      'admitted_until',
      'limits',
      'watched',
    ],
    rowsMax: 1,
    rowsMin: 1,
  },
  // Goes on where it was, so that readers of streams can resume.
  { name: 'event_sequence', instance: 'instance_id', order: 'instance_id', rowsMax: 1, rowsMin: 1 },
  {
    name: 'instance_credentials',
    instance: 'instance_id',
    order: 'instance_id',
    sealed: [{ column: 'data', place: (row) => [text(row.instance_id), 'credentials'] }],
    rowsMax: 1,
    rowsMin: 1,
  },
  // The file is sealed as a whole, with the password of the proxy in it.
  {
    name: 'instance_proxy',
    instance: 'instance_id',
    order: 'instance_id',
    sealed: [{ column: 'settings', place: (row) => [text(row.instance_id), 'proxy'] }],
    rowsMax: 1,
  },
  {
    name: 'dialect_instance',
    instance: 'instance_id',
    order: 'dialect',
    sealed: [{ column: 'token', place: (row) => [text(row.instance_id), 'dialect', text(row.dialect)] }],
    rowsMax: 10,
  },
  {
    name: 'signal_key',
    instance: 'instance_id',
    order: 'kind, id',
    only: `kind <> '${FIRST_SEND_KIND}'`,
    sealed: [{ column: 'data', place: (row) => [text(row.instance_id), text(row.kind), text(row.id)] }],
    rowsMax: 5_000_000,
  },
  // Tokens and keys are valid there too.
  { name: 'access_key', instance: 'instance_id', order: 'id', ahead: ['ends'], rowsMax: 200 },
  { name: 'lid_mapping', instance: 'instance_id', order: 'lid', rowsMax: 2_000_000 },
  { name: 'contact', instance: 'instance_id', order: 'jid', rowsMax: 2_000_000 },
  { name: 'chat', instance: 'instance_id', order: 'id', chat: 'id', rowsMax: 500_000 },
  { name: 'chat_alias', instance: 'instance_id', order: 'jid', chat: 'chat_id', rowsMax: 1_000_000 },
  { name: 'label', instance: 'instance_id', order: 'labelid', rowsMax: 1_000 },
  { name: 'blocked', instance: 'instance_id', order: 'jid', rowsMax: 100_000 },
  { name: 'connection_history', instance: 'instance_id', order: 'position', left: ['position'], rowsMax: 1_000 },
  { name: 'send_pacer', instance: 'instance_id', order: 'instance_id', rowsMax: 1 },
  { name: 'group_info', instance: 'instance_id', order: 'jid', rowsMax: 50_000 },
  {
    name: 'quick_reply',
    instance: 'instance_id',
    order: 'is_of_phone, id',
    // Records of the phone are kept without regard to the limits.
    rowsMax: 20 * (quickReplyLimit.countMax + phoneQuickReplyLimit.countMax),
    bytesMax: sumBytes(quickReplyLimit, phoneQuickReplyLimit),
  },
  {
    name: 'agent_function',
    instance: 'instance_id',
    order: 'id',
    sealed: [{ column: 'headers_sealed', place: (row) => [text(row.instance_id), 'function', text(row.id)] }],
    rowsMax: functionLimit.countMax,
    bytesMax: sumBytes(functionLimit),
  },
  {
    name: 'knowledge',
    instance: 'instance_id',
    order: 'id',
    // Entries are read again there, with the keys that are there.
    left: [
      'generation',
      'processed',
      'vector_status',
      'vector_reason',
      'vector_code',
      'vector_model',
      'last_vectorized',
      'chunks',
      'tokens',
      'language',
      'attempts',
      'retry_at',
      'vectors_due',
    ],
    rowsMax: knowledgeLimit.countMax,
    bytesMax: sumBytes(knowledgeLimit),
  },
  {
    name: 'chatbot_settings',
    instance: 'instance_id',
    order: 'instance_id',
    sealed: [{ column: 'openai_key', place: (row) => [text(row.instance_id), 'openai'] }],
    rowsMax: 1,
  },
  {
    name: 'agent',
    instance: 'instance_id',
    order: 'id',
    sealed: [{ column: 'apikey', place: (row) => [text(row.instance_id), 'agent', text(row.id)] }],
    // Servers are asked anew from there.
    left: ['embedding_dimensions', 'embedding_error', 'embedding_code'],
    rowsMax: agentLimit.countMax,
    bytesMax: sumBytes(agentLimit),
  },
  {
    name: 'agent_trigger',
    instance: 'instance_id',
    order: 'id',
    rowsMax: triggerLimit.countMax,
    bytesMax: sumBytes(triggerLimit),
  },
  // People who opted out stay suppressed in the other installation.
  { name: 'campaign_contact', instance: 'instance_id', order: 'address', left: ['recent'], rowsMax: 10_000_000 },
  { name: 'suppression', instance: 'instance_id', order: 'address', rowsMax: 2 * suppressionLimit.countMax },
  {
    name: 'webhook',
    instance: 'instance_id',
    order: 'id',
    // The receiver of a Chatwoot is made again with its settings.
    only: "purpose = 'webhook'",
    left: ['purpose'],
    sealed: [
      { column: 'secret', place: (row) => ['webhook', text(row.id)] },
      { column: 'access', place: (row) => ['webhook', text(row.id), 'access'] },
    ],
    option: 'webhooks',
    rowsMax: 1_000,
  },
  {
    name: 'chatwoot_config',
    instance: 'instance_id',
    order: 'instance_id',
    // Off until somebody enables it there: then the webhook of the inbox is set to that installation.
    left: [
      ...['webhook_id', 'enabled', 'enabled_at', 'state', 'last_error'],
      ...['last_sent', 'last_received', 'looked_at', 'missed'],
    ],
    sealed: [{ column: 'secrets', place: (row) => [text(row.instance_id), 'chatwoot'] }],
    option: 'webhooks',
    rowsMax: 1,
  },
  {
    name: 'message',
    instance: 'instance_id',
    order: 'position',
    left: ['position'],
    sealed: [{ column: 'proto', place: (row) => [text(row.instance_id), 'proto', text(row.messageid)] }],
    chat: 'chat_id',
    option: 'messages',
    rowsMax: 50_000_000,
  },
  {
    name: 'group_message',
    instance: 'instance_id',
    order: 'id',
    option: 'messages',
    rowsMax: 10_000_000,
  },
  {
    name: 'message_receipt',
    instance: 'instance_id',
    order: 'id, person',
    option: 'messages',
    rowsMax: 50_000_000,
  },
  { name: 'status_post', instance: 'instance_id', order: 'messageid', option: 'messages', rowsMax: 1_000_000 },
  { name: 'status_view', instance: 'instance_id', order: 'messageid, person', option: 'messages', rowsMax: 10_000_000 },
  {
    name: 'channel_post',
    instance: 'instance_id',
    order: 'channel, server_id',
    option: 'messages',
    rowsMax: 10_000_000,
  },
  {
    name: 'scheduled_send',
    instance: 'instance_id',
    order: 'position',
    ahead: ['due'],
    left: ['position'],
    sealed: [{ column: 'request', place: (row) => [text(row.instance_id), 'scheduled', text(row.messageid)] }],
    option: 'messages',
    rowsMax: 5_000_000,
  },
  {
    name: 'campaign',
    instance: 'instance_id',
    order: 'id',
    ahead: ['scheduled_at', 'hold_until'],
    files: ['template'],
    option: 'messages',
    rowsMax: 2 * STORED_CAMPAIGNS_MAX,
  },
  {
    name: 'campaign_progress',
    instance: 'instance_id',
    order: 'folder_id',
    ahead: ['next_at'],
    option: 'messages',
    rowsMax: 2 * STORED_CAMPAIGNS_MAX,
  },
  {
    name: 'campaign_recipient',
    instance: 'instance_id',
    order: 'folder_id, ordinal',
    ahead: ['due_at'],
    files: ['content'],
    // Not those of an import that has not ended: whoever repeats it makes it again.
    only: 'EXISTS (SELECT FROM campaign AS c WHERE c.instance_id = campaign_recipient.instance_id AND c.id = folder_id)',
    option: 'messages',
    rowsMax: STORED_RECIPIENTS_MAX + CAMPAIGN_RECIPIENTS_MAX,
  },
]

export const CARRIED_BY_NAME: ReadonlyMap<string, CarriedTable> = new Map(
  CARRIED_TABLES.map((table) => [table.name, table]),
)

/** Stays behind: what is still to be delivered is delivered from here, and what can be counted is counted again. */
export const LEFT_TABLES: readonly string[] = [
  'pass',
  // They are given by the gateway that was asked.
  'kept_answer',
  'request_log',
  // The other installation has settings of its own.
  'instance_token_copy',
  'event',
  'delivery',
  'dead_letter',
  'webhook_error',
  'webhook_success',
  'receiver_hour',
  'chat_activity',
  'chat_count',
  'chat_lead_count',
  'group_member',
  'contact_count',
  'campaign_import',
  // Turns of agents end with the export.
  'agent_call',
  'knowledge_chunk',
  'message_text',
  // The network can be asked again.
  'number_check',
  // An answer that is not under way at an export is given by nobody.
  'agent_turn',
  'agent_step',
  'agent_reply',
  'agent_usage',
  // Contacts and conversations are found again, by numbers and identifiers.
  'chatwoot_chat',
  'chatwoot_message',
  'chatwoot_in',
  // What blocked a node here.
  'blocked_work',
]
