/** The row of a message that is sent. */
import { PAUSE_MINUTES_MAX } from '../../../schemas/agents/limits.js'
import type { Jid } from '../../../schemas/ids.js'
import { type ChatAddress, toChatId } from '../../../schemas/jid.js'
import type { SendCommand } from '../../../schemas/send-request.js'
import { isStatusChat } from '../../../schemas/status-post.js'
import type { MessageStatus, NewMessage } from '../../../schemas/stored-fields.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import type { Change } from '../ports.js'
import type { SentMessage } from './compose.js'
import type { SendsContext } from './context.js'
import { fallbackRequest } from './fallbacks.js'
import { bareMessageId, describeRow } from './send-content.js'

const MINUTE_MS = 60_000

type MessageRecord = Readonly<Record<string, unknown>>

/** Makes the row of a send, without the message that is composed later. */
export function newRow(
  command: SendCommand,
  chat: ChatAddress,
  status: MessageStatus,
  own: ChatAddress | null,
): NewMessage {
  const { options } = command
  return {
    messageid: command.messageid,
    chat,
    fromMe: true,
    isGroup: chat.group?.endsWith('@g.us') ?? false,
    ...describeRow(command.content),
    ...(isStatusChat(chat) ? { sendFunction: 'status' } : {}),
    messageTimestampMs: Date.now(),
    sender: own === null ? ('' as Jid) : toChatId(own),
    ...(own?.pn === undefined ? {} : { senderPn: own.pn }),
    ...(own?.lid === undefined ? {} : { senderLid: own.lid }),
    source: 'web',
    status,
    content: null,
    ...(options.replyId === undefined ? {} : { quoted: bareMessageId(options.replyId) }),
    ...(options.trackSource === undefined ? {} : { trackSource: options.trackSource }),
    ...(options.trackId === undefined ? {} : { trackId: options.trackId }),
    wasSentByApi: true,
    ...(command.idempotencyKey === undefined ? {} : { idempotencyKey: command.idempotencyKey }),
    ...(command.requestHash === undefined ? {} : { requestHash: command.requestHash }),
    ...(command.campaign === undefined ? {} : { campaign: command.campaign }),
  }
}

/** Returns the change by which agents pause in the chat of a send, if its caller asked for it. It is written behind the row. */
export function createAgentPause(
  { messageid, options }: Pick<SendCommand, 'messageid' | 'options'>,
  chat: ChatAddress,
): readonly Change[] {
  const { pauseChatbotMinutes: minutes = 0 } = options
  // A scheduled send of an imported instance may hold anything.
  const isAsked = Number.isInteger(minutes) && minutes > 0 && minutes <= PAUSE_MINUTES_MAX
  if (!isAsked) return []
  return [{ type: 'agent.halt', chat, messageid, reason: 'person_answered', pauseMs: minutes * MINUTE_MS }]
}

/**
 * Writes the row of a message that is being relayed. Resolves to its record.
 * @param alongside further changes of the same write
 */
export async function insertPending(
  { journal, account }: SendsContext,
  command: SendCommand,
  chat: ChatAddress,
  message: SentMessage,
  alongside: readonly Change[] = [],
): Promise<MessageRecord> {
  const row = newRow(command, chat, 'pending', account.own)
  const { messages } = await journal.write([
    { type: 'message', message: { ...row, ...pickFields(message) }, announce: true },
    ...createAgentPause(command, chat),
    ...alongside,
  ])
  return messages.get(command.messageid)?.record ?? {}
}

/**
 * Turns the row of a queued message that is being relayed into a pending one, with further changes. Resolves to its record. Emits the event
 * of the message, unless it was relayed before: then its row has what was composed.
 */
export async function queuedToPending(
  { journal, account }: SendsContext,
  command: SendCommand,
  chat: ChatAddress,
  { messageid, record, proto }: MessageForActor,
  { message, alongside = [] }: { readonly message: SentMessage; readonly alongside?: readonly Change[] | undefined },
): Promise<MessageRecord> {
  const fields = pickFields(message)
  const leaving = { ...newRow(command, chat, 'pending', account.own), ...fields }
  await journal.write([
    ...(proto === null ? [{ type: 'chat', chat, set: {}, known: true } as const] : []),
    {
      type: 'message.update',
      messageids: [messageid],
      fromMe: true,
      set: { status: 'pending', queuedRequest: null, ...fields, messageTimestampMs: Date.now() },
      announce: { type: 'Status', state: 'Pending', event: { IsFromMe: true } },
      ...(proto === null ? { leaving } : {}),
    },
    ...alongside,
  ])
  return record
}

/** Returns the fields of a composed message that its row keeps. */
function pickFields({ text, content, proto, convertOptions, instead }: SentMessage) {
  return {
    text,
    content,
    proto,
    ...(convertOptions === undefined ? {} : { convertOptions }),
    ...(instead === undefined ? {} : { queuedRequest: fallbackRequest(instead) }),
  }
}
