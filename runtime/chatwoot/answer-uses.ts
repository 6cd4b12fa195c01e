/** Lists the bytes, values and parts that each call of Chatwoot needs of its answer. A larger answer is refused before it is parsed. */
import type { JsonUse, Keep } from '../outgoing/json/json-use.js'

const contact = {
  id: true,
  name: true,
  phone_number: true,
  identifier: true,
  contact_inboxes: [{ source_id: true }],
} as const satisfies Keep

const conversation = {
  id: true,
  inbox_id: true,
  status: true,
  last_activity_at: true,
  meta: { sender: { id: true, phone_number: true, identifier: true } },
  contact_inbox: { contact_id: true, source_id: true },
  messages: [{ id: true }],
} as const satisfies Keep

/** As `agentMessage` reads it. */
const message = {
  id: true,
  conversation_id: true,
  message_type: true,
  private: true,
  content_type: true,
  content: true,
  created_at: true,
  source_id: true,
  content_attributes: { in_reply_to: true, external_error: true, deleted: true },
  attachments: [{ data_url: true, file_type: true, extension: true }],
  sender: { name: true, available_name: true },
} as const satisfies Keep

const inbox = {
  id: true,
  channel_type: true,
  webhook_url: true,
  secret: true,
  inbox_identifier: true,
} as const satisfies Keep

/** One thing, with the conversations and inboxes that Chatwoot shows beside it. */
const ONE = { bytesMax: 1_000_000, valuesMax: 50_000, depthMax: 32 }
/** All conversations of an inbox with activity, some 200 values each. */
const MANY = { bytesMax: 4_000_000, valuesMax: 300_000, depthMax: 32 }

export const answers = {
  profile: { ...ONE, keep: { accounts: [{ id: true, role: true }] } },
  inbox: { ...ONE, keep: inbox },
  inboxes: { ...MANY, keep: { payload: [{ id: true, name: true, channel_type: true, webhook_url: true }] } },
  contacts: { ...MANY, keep: { payload: [contact], '[]': contact } },
  contact: { ...ONE, keep: { ...contact, payload: { ...contact, contact, contact_inbox: { source_id: true } } } },
  conversation: { ...ONE, keep: conversation },
  conversations: { ...MANY, keep: { payload: [conversation], data: { payload: [conversation] }, '[]': conversation } },
  messages: { ...MANY, keep: { payload: [message], '[]': message } },
  created: { ...ONE, keep: { id: true } },
  nothing: { ...ONE, keep: {} },
} as const satisfies Record<string, JsonUse>
