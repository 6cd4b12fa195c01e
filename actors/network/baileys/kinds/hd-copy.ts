/**
 * Pictures and videos in high definition. A phone sends such a file twice: first the small one, then the large one in a message that names the
 * first. Clients show one message, whose file is the large one (mautrix/whatsapp pull requests 920 and 927).
 */
import { proto } from '@whiskeysockets/baileys'
import type { InstanceId } from '../../../../schemas/ids.js'
import { isSameChat } from '../../../../schemas/jid.js'
import type { NewMessage } from '../../../../schemas/stored-fields.js'
import type { MessageForActor } from '../../../../schemas/stored-message.js'
import type { InstanceReader } from '../../../instance/instance-reader.js'
import type { InstanceJournal } from '../../../instance/ports.js'
import type { NetworkEvent } from '../../port/events.js'
import { contentForCallers } from '../content.js'
import { toMessageId } from '../key-codec.js'
import { layersIn, unwrap } from './newer-parts.js'
import { readForLibrary } from './read-message.js'

export interface HdCopyStore {
  readonly instance: InstanceId
  readonly journal: Pick<InstanceJournal, 'settled'>
  readonly reader: Pick<InstanceReader, 'messagesById'>
}

const { HD_VIDEO_DUAL_UPLOAD, HD_IMAGE_DUAL_UPLOAD } = proto.MessageAssociation.AssociationType
const { HD_VIDEO_CHILD, HD_IMAGE_CHILD } = proto.ContextInfo.PairedMediaType

/** Returns the key of the message whose file a message has in high definition; null for any other message. */
export function hdParentIn(message: proto.IMessage): proto.IMessageKey | null {
  const layers = layersIn(message)
  if (!layers.some(({ associatedChildMessage }) => associatedChildMessage)) return null
  for (const { messageContextInfo } of layers) {
    const { associationType, parentMessageKey } = messageContextInfo?.messageAssociation ?? {}
    const isHd = associationType === HD_VIDEO_DUAL_UPLOAD || associationType === HD_IMAGE_DUAL_UPLOAD
    if (isHd && parentMessageKey?.id) return parentMessageKey
  }
  return null
}

/** Meaning of a copy. */
export interface HdReading {
  /** The change of the first message, whose file the copy replaces; or the copy as a message of its own. */
  readonly events: readonly NetworkEvent[]
  /** Given if the first message may still come: the message itself, or the content of one whose place is there. */
  readonly waitsFor?: 'message' | 'content'
}

/**
 * Reads a copy. If the first message is not there, is another person's or of another kind, the copy is a message of its own.
 * @throws when the store cannot be read
 */
export async function readHdCopy(
  message: NewMessage,
  copy: proto.IMessage,
  parentKey: proto.IMessageKey,
  { instance, journal, reader }: HdCopyStore,
): Promise<HdReading> {
  await journal.settled()
  const parentId = toMessageId(parentKey.id as string)
  const { messageid, chat, fromMe, senderPn: pn, senderLid: lid } = message
  const found = await reader.messagesById(instance, [parentId, messageid])
  const rows = found.filter((row) => isSameChat(row.chat, chat) && row.fromMe === fromMe)
  const firsts = rows.filter((row) => row.messageid === parentId)
  const parent = firsts.find((row) => isParent(row, message))
  const replaced = parent?.proto ? replaceFile(parent.proto, copy) : null
  if (parent === undefined || replaced === null) {
    const hasRow = rows.some((row) => row.messageid === messageid)
    const waitsFor = hasRow ? undefined : whatIsMissing(firsts)
    return { events: [{ type: 'message', message }], ...(waitsFor === undefined ? {} : { waitsFor }) }
  }
  // The network has sent the copy again.
  if (replaced === 'same') return { events: [] }
  const sender = { ...(pn === undefined ? {} : { pn }), ...(lid === undefined ? {} : { lid }) }
  const timestampMs = message.messageTimestampMs
  const refiled = { type: 'refiled' as const, messageid: parentId, chat: parent.chat, fromMe, sender, timestampMs }
  return { events: [{ ...refiled, ...replaced }] }
}

function whatIsMissing([first]: readonly MessageForActor[]): HdReading['waitsFor'] {
  if (first === undefined) return 'message'
  const { record, proto: bytes } = first
  const isWaiting = record.messageType === 'unreadable' && bytes === null
  return isWaiting && (record.content as { state?: unknown } | null)?.state === 'waiting' ? 'content' : undefined
}

function isParent(
  row: MessageForActor,
  { chat, fromMe, messageType, sender, senderPn, senderLid }: NewMessage,
): boolean {
  const people = [sender, senderPn, senderLid].filter((jid) => jid !== undefined)
  const authors = [row.sender, row.record.sender_pn, row.record.sender_lid]
  return (
    isSameChat(row.chat, chat) &&
    row.fromMe === fromMe &&
    (fromMe || people.some((jid) => authors.includes(jid))) &&
    row.record.messageType === messageType &&
    row.status !== 'deleted'
  )
}

/** Returns messages of which those that are copies of others among them have given them their files. */
export function joinHdCopies(
  messages: readonly { readonly message: NewMessage; readonly decoded: proto.IMessage }[],
): NewMessage[] {
  const joined = new Map<NewMessage, NewMessage | null>(messages.map(({ message }) => [message, message]))
  const byId = new Map(messages.map(({ message }) => [message.messageid, message]))
  for (const { message, decoded } of messages) {
    const parent = byId.get(toMessageId(hdParentIn(decoded)?.id ?? ''))
    if (parent?.proto === undefined || parent.messageType !== message.messageType) continue
    if (!isSameChat(parent.chat, message.chat) || parent.sender !== message.sender) continue
    const replaced = replaceFile(parent.proto, decoded)
    if (replaced === null) continue
    joined.set(message, null)
    if (replaced !== 'same') joined.set(parent, { ...parent, ...replaced })
  }
  return [...joined.values()].filter((message) => message !== null)
}

/**
 * Returns a stored message with the file of its copy. It keeps its caption, its quote and its secret. `same`: it has that file already. Null if
 * one of them has no such file.
 */
export function replaceFile(
  encoded: Uint8Array,
  copy: proto.IMessage,
): { content: unknown; proto: Uint8Array } | 'same' | null {
  const message = readForLibrary(encoded)
  const [former, large] = [unwrap(message), unwrap(copy)]
  if (former.imageMessage && large.imageMessage) {
    if (isSameFile(former.imageMessage, large.imageMessage)) return 'same'
    former.imageMessage = { ...large.imageMessage, ...kept(former.imageMessage, large.imageMessage, HD_IMAGE_CHILD) }
  } else if (former.videoMessage && large.videoMessage) {
    if (isSameFile(former.videoMessage, large.videoMessage)) return 'same'
    former.videoMessage = { ...large.videoMessage, ...kept(former.videoMessage, large.videoMessage, HD_VIDEO_CHILD) }
  } else return null
  return { content: contentForCallers(former)?.content ?? null, proto: proto.Message.encode(message).finish() }
}

interface FilePart {
  readonly fileSha256?: Uint8Array | null
  readonly caption?: string | null
  readonly contextInfo?: proto.IContextInfo | null
}

function kept(former: FilePart, copy: FilePart, pairedMediaType: proto.ContextInfo.PairedMediaType) {
  const caption = former.caption ?? copy.caption
  return { ...(caption == null ? {} : { caption }), contextInfo: { ...former.contextInfo, pairedMediaType } }
}

function isSameFile({ fileSha256: one }: FilePart, { fileSha256: other }: FilePart): boolean {
  return one != null && other != null && Buffer.from(one).equals(other)
}
