import { proto } from '@whiskeysockets/baileys'
import type { InstanceId, Jid, MessageId } from '../../../../schemas/ids.js'
import { bareJid, type ChatAddress, isSameChat, toChatAddress } from '../../../../schemas/jid.js'
import type { MessageForActor } from '../../../../schemas/stored-message.js'
import type { InstanceReader } from '../../../instance/instance-reader.js'
import type { PhoneAnswer } from '../app-state-recovery.js'
import { splitEntry } from '../history-bytes.js'
import type { MessageEnvelope } from '../incoming.js'
import { toMessageId } from '../key-codec.js'
import { findUnread } from '../kinds/read-message.js'
import { readWithOuterSecret } from '../secrets/message-secrets.js'
import { isPlaceholder } from './placeholder-message.js'

/** The phone's answer for one placeholder. */
export interface AnsweredMessage {
  readonly row: MessageForActor
  readonly envelope: MessageEnvelope
  /** The message and its bytes. Null if the phone does not have it either. */
  readonly content: { readonly message: proto.IMessage; readonly encoded: Uint8Array } | null
}

export interface AnswerStore {
  readonly instance: InstanceId
  readonly reader: Pick<InstanceReader, 'messagesById' | 'mapping'>
}

/** Maximum number of messages that are read from one answer; a request names at most 32. */
const MESSAGES_MAX = 64

/** Reads the messages in an answer of the phone. Only those that have a placeholder count, since everything else came by itself. */
export async function readAnswer(answer: PhoneAnswer, store: AnswerStore): Promise<readonly AnsweredMessage[]> {
  const infos = (answer.peerDataOperationResult ?? []).slice(0, MESSAGES_MAX).flatMap(decodeResult)
  if (infos.length === 0) return []
  const ids = [...new Set(infos.map(({ id }) => id))]
  const rows = (await store.reader.messagesById(store.instance, ids)).filter(isPlaceholder)
  const answered: AnsweredMessage[] = []
  for (const { id, info, content } of infos) {
    const row = await findRow(
      rows.filter((one) => one.messageid === id),
      info,
      store,
    )
    if (row === undefined || answered.some((one) => one.row === row)) continue
    answered.push({ row, envelope: makeEnvelope(row, info), content: readContent(info, content) })
  }
  return answered
}

interface Entry {
  readonly id: MessageId
  /** Data around the message. */
  readonly info: proto.IWebMessageInfo
  /** Bytes of the message. The library would drop the fields that it does not know. */
  readonly content: Uint8Array | undefined
}

function decodeResult({
  placeholderMessageResendResponse: response,
}: proto.Message.PeerDataOperationRequestResponseMessage.IPeerDataOperationResult): Entry[] {
  if (!response?.webMessageInfoBytes?.length) return []
  const { frame, content } = splitEntry(response.webMessageInfoBytes)
  try {
    const info = proto.WebMessageInfo.decode(frame)
    return info.key?.id && info.key.remoteJid ? [{ id: toMessageId(info.key.id), info, content }] : []
  } catch {
    return []
  }
}

/**
 * Finds the placeholder that an answer belongs to. The phone names the chat by its number, also if the message came from a LID whose number
 * is not known. Senders choose the ids of messages, so the id alone is enough only if one placeholder has it.
 */
async function findRow(
  rows: readonly MessageForActor[],
  { key }: proto.IWebMessageInfo,
  { instance, reader }: AnswerStore,
): Promise<MessageForActor | undefined> {
  const jid = bareJid(key?.remoteJid ?? '')
  const candidates = rows.filter((row) => row.fromMe === (key?.fromMe ?? false))
  const named = toChatAddress(jid, await reader.mapping(instance, jid as Jid))
  const same = candidates.find((row) => isSameChat(row.chat, named))
  if (same !== undefined) return same
  const [only, ...others] = candidates
  const isHalf = only !== undefined && isHalfKnown(only.chat) && isHalfKnown(named) && named.group === undefined
  return isHalf && others.length === 0 ? only : undefined
}

function isHalfKnown({ pn, lid, group }: ChatAddress): boolean {
  return group === undefined && (pn === undefined || lid === undefined)
}

/** Returns the data around the message. Those of its stanza count, as far as they were stored. */
function makeEnvelope(row: MessageForActor, info: proto.IWebMessageInfo): MessageEnvelope {
  const { chat, record } = row
  const [jid, alternative] = splitAddress(chat)
  const [sender, senderAlternative] = [asText(record.sender_lid), asText(record.sender_pn)].filter((one) => one !== '')
  const pushName = asText(record.senderName) || info.pushName
  return {
    id: row.messageid,
    chat: jid,
    ...(alternative === undefined ? {} : { chatAlternative: alternative }),
    fromMe: row.fromMe,
    sender: sender ?? row.sender,
    ...(senderAlternative === undefined ? {} : { senderAlternative }),
    ...(pushName ? { pushName } : {}),
    timestampSeconds: Math.floor(row.messageTimestampMs / 1000),
    isPeer: false,
  }
}

function splitAddress({ group, lid, pn }: ChatAddress): [jid: string, alternative?: string] {
  const [first = '', second] = [group, lid, pn].filter((one) => one !== undefined)
  return second === undefined ? [first] : [first, second]
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Returns the content, with the secret that the phone puts beside it (field 49). Later edits and votes need it. */
function readContent({ messageSecret }: proto.IWebMessageInfo, bytes: Uint8Array | undefined) {
  if (!bytes?.length) return null
  const content = readWithOuterSecret(bytes, messageSecret)
  const isEmpty = Object.keys(content.message).every((name) => name === 'messageContextInfo')
  return isEmpty && findUnread(content.message) === undefined ? null : content
}
