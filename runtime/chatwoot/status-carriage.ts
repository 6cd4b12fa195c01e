/** Tells Chatwoot what became of messages that it has. */
import type { ChatwootConfig } from '../store/chatwoot/config-rows.js'
import { type ChatwootMessage, type Told, told } from '../store/chatwoot/message-rows.js'
import { apiOf } from './conversation-place.js'
import type { ChatwootParts } from './parts.js'
import { ChatwootRefusal } from './refusal.js'

type Parts = Pick<ChatwootParts, 'store' | 'outgoing'>

const STATES: Readonly<Record<string, Told>> = {
  Sent: told.sent,
  Delivered: told.delivered,
  Read: told.read,
  Played: told.read,
  Failed: told.failed,
  Canceled: told.failed,
}
const NAMES: Readonly<Record<Told, string>> = { 0: '', 1: 'sent', 2: 'delivered', 3: 'read', 4: 'failed' }
const ERROR_MAX = 500

/** Only goes forward: Chatwoot itself would go back. @throws ChatwootRefusal */
export async function tellStatus(
  parts: Parts,
  config: ChatwootConfig,
  row: ChatwootMessage,
  state: string,
  error: string,
): Promise<void> {
  const next = STATES[state]
  if (next === undefined || !row.fromMe || row.cwId === null || row.isDeleted || next <= row.told) return
  // A message that is there without doubt cannot fail. Messages are `sent` there from the start.
  if (next === told.failed && row.told >= told.delivered) return
  // A message with files is several at the network, and the furthest of them counts.
  const siblings = await parts.store.messages.byCwId(config.instance, row.cwId)
  const isFurther = siblings.every((one) => one.told === told.failed || one.told < next)
  if (next !== told.sent && isFurther) await setStatus(parts, config, row, next, error)
  await parts.store.messages.noteTold(config.instance, row.messageid, next)
}

/** Shows on the agent's message that it failed, and why. */
export async function setStatus(
  parts: Parts,
  config: ChatwootConfig,
  { conversationId, cwId }: Pick<ChatwootMessage, 'conversationId' | 'cwId'>,
  state: Told,
  error: string,
): Promise<void> {
  if (cwId === null) return
  const why = state === told.failed ? (error || 'The message was not sent.').slice(0, ERROR_MAX) : undefined
  await apiOf(parts, config).setMessageStatus(conversationId, cwId, NAMES[state], why).catch(unlessPassing)
}

/** @throws ChatwootRefusal */
export async function tellDeletion(
  parts: Parts,
  config: ChatwootConfig,
  row: ChatwootMessage,
  attempts: number,
): Promise<void> {
  // An agent deleted it, unless a former attempt noted it.
  if ((row.isDeleted && attempts === 0) || row.cwId === null) return
  // Before the call, so that its webhook is known as ours.
  await parts.store.messages.noteDeleted(config.instance, row.messageid)
  await apiOf(parts, config).deleteMessage(row.conversationId, row.cwId).catch(unlessPassing)
}

/** A state that Chatwoot refuses for good is left: old releases know none, and the message may be gone. */
function unlessPassing(error: unknown): void {
  if (error instanceof ChatwootRefusal && error.kind !== 'away' && error.kind !== 'busy' && error.statusCode !== 401)
    return
  throw error
}
