import { GatewayError } from '../../../schemas/errors.js'
import type { MessageId } from '../../../schemas/ids.js'
import { type ChatAddress, isSameChat, parseAddress, toChatId } from '../../../schemas/jid.js'
import { newMessageId } from '../../../schemas/message-id.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import { bothAddresses, knownChat } from '../../instance/known-chat.js'
import { bareMessageId } from '../../instance/sends/send-content.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

interface RequestHistoryFields {
  /** Made by the node that got the call. */
  readonly requestId: MessageId
  readonly number: string
  /** `exact`: one message; `history`: those before a message, by default before the oldest that is stored. */
  readonly mode: 'history' | 'exact'
  readonly id?: string
  readonly count: number
}

interface RequestedHistory {
  readonly chat: string
  /** The message before which it was asked, or the one that was asked for. */
  readonly messageid: string
  /** Null: the phone has not answered yet. */
  readonly answer: { readonly messages: number; readonly isEnd: boolean } | null
}

/** Time for which the call waits for the phone. One that is on answers within a second or two. */
const ANSWER_WAIT_MS = 5_000

/** Asks the account's phone for messages of the past. */
export const requestHistory = operation('requestHistory', {
  // A second request gets the same messages again, which are known then.
  repeat: true,
  waitMs: () => ANSWER_WAIT_MS,
  example: { chat: '5511999990002@s.whatsapp.net', messageid: '3EB0C767D097B7C7C030', answer: null },
  async run(context: InstanceContext, command: RequestHistoryFields): Promise<RequestedHistory> {
    await context.connection()
    return command.mode === 'exact' ? await requestOne(context, command) : await requestBefore(context, command)
  },
})

async function requestBefore(context: InstanceContext, command: RequestHistoryFields): Promise<RequestedHistory> {
  const { requestId, number, id, count } = command
  const { address: chat } = await knownChat(context.id, number, context.reader)
  const anchor = await findAnchor(context, chat, id)
  // The phone answers under the address by which it knows the chat, which is not told: both are tried.
  const addresses = [chat.group ?? chat.lid, chat.group === undefined ? chat.pn : undefined].flatMap((one) => one ?? [])
  const ids = addresses.map((_, index) => (index === 0 ? requestId : newMessageId()))
  const name = toChatId(chat)
  const answer = await ask(context, name, ids, async () => {
    const { messages } = await context.connection()
    for (const [index, address] of addresses.entries())
      await messages.requestHistory(ids[index] as MessageId, address, anchor, count)
  })
  return { chat: name, messageid: anchor.messageid, answer }
}

async function requestOne(
  context: InstanceContext,
  { requestId, number, id = '' }: RequestHistoryFields,
): Promise<RequestedHistory> {
  const chat = await bothAddresses(context.id, parseAddress(number), context.reader)
  const named = await context.reader.messagesNamed(context.id, [id])
  const stored = named.find((message) => isSameChat(message.chat, chat))
  // Who wrote a message of a group is a part of its name.
  if (stored === undefined && chat.group !== undefined)
    throw new GatewayError('MESSAGE_NOT_FOUND', {
      message: 'Message not found: of a group only messages whose author is stored can be asked for.',
    })
  const messageid = stored?.messageid ?? bareMessageId(id)
  const name = `${toChatId(chat)} ${messageid}`
  const wanted = { messageid, chat, ...(stored === undefined ? {} : { fromMe: stored.fromMe, sender: stored.sender }) }
  const answer = await ask(context, name, [requestId], async () => {
    const { messages } = await context.connection()
    await messages.requestMessage(requestId, wanted)
  })
  return { chat: toChatId(chat), messageid, answer }
}

async function ask(
  { historyRequests }: InstanceContext,
  name: string,
  [id, ...others]: readonly MessageId[],
  send: () => Promise<void>,
): Promise<RequestedHistory['answer']> {
  historyRequests.begin(name, id as MessageId, others)
  try {
    await send()
  } catch (error) {
    historyRequests.failed(name)
    throw error
  }
  return await historyRequests.answer(name, ANSWER_WAIT_MS)
}

async function findAnchor(
  { id: instance, reader }: InstanceContext,
  chat: ChatAddress,
  id: string | undefined,
): Promise<MessageForActor> {
  if (id !== undefined) {
    const found = (await reader.messagesNamed(instance, [id])).find((message) => isSameChat(message.chat, chat))
    if (found === undefined) throw new GatewayError('MESSAGE_NOT_FOUND')
    return found
  }
  const first = await reader.firstMessage(instance, chat)
  if (first !== null) return first
  throw new GatewayError('MESSAGE_NOT_FOUND', {
    message: 'Message not found: the chat has no stored message before which the phone could be asked.',
  })
}
