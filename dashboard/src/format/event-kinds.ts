import type { EventKind } from '../../../schemas/generated.js'

/** The compiler finds a kind that is missing here. */
const KINDS: Readonly<Record<EventKind, true>> = {
  connection: true,
  messages: true,
  messages_update: true,
  chats: true,
  chat_labels: true,
  leads: true,
  contacts: true,
  presence: true,
  groups: true,
  labels: true,
  call: true,
  blocks: true,
  history: true,
  limits: true,
  suppressions: true,
  sender: true,
  agents: true,
  status: true,
  newsletter_messages: true,
}

/** Kinds of events, in the order in which pages show them. */
export const eventKinds = Object.keys(KINDS) as readonly EventKind[]
