/** Applies reactions, edits, deletions and votes to the messages that a phone shows. */
import { proto } from '@whiskeysockets/baileys'
import type { Account } from '../network/model.js'
import { isNamed } from './named-people.js'
import type { Phone } from './phone.js'
import { countVote } from './polls.js'
import { readText, type Shown } from './records.js'
import { findSecret, openEdit } from './secrets.js'

const { HD_IMAGE_DUAL_UPLOAD, HD_VIDEO_DUAL_UPLOAD } = proto.MessageAssociation.AssociationType
const { UNPIN_FOR_ALL } = proto.Message.PinInChatMessage.Type
const { REVOKE, MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type

interface Target {
  /** A number, or the JID of a group. */
  readonly chat: string
  readonly author: Account
  readonly shown: Shown & { readonly message: proto.IMessage }
}

/**
 * Applies a message of `author` to an earlier one; real phones too heed only those who may.
 * @param edit attribute of its stanza
 */
export function applyChange(phone: Phone, author: Account, message: proto.IMessage, edit?: string): void {
  const { pollUpdateMessage: vote, pinInChatMessage: pin } = message
  if (pin) {
    if (edit === '2') applyPin(phone, author, message)
    return
  }
  if (message.keepInChatMessage) {
    applyKeep(phone, author, message.keepInChatMessage, edit)
    return
  }
  const poll = vote ? findTarget(phone, vote.pollCreationMessageKey?.id ?? '') : undefined
  if (vote && poll?.shown.poll) {
    const { addressing } = phone.network.groups.get(poll.chat) ?? {}
    const people = { creator: poll.author, voter: author, ...(addressing && { addressing }) }
    if (isKeyOf(phone, poll, author, vote.pollCreationMessageKey))
      countVote(poll.shown.poll, poll.shown.message, people, vote)
    return
  }
  const { reactionMessage: reaction } = message
  // The library sends edits bare; the network's own clients wrap them, or encrypt them.
  const protocol =
    message.protocolMessage ?? message.editedMessage?.message?.protocolMessage ?? readSecretEdit(phone, author, message)
  const key = reaction?.key ?? protocol?.key
  const target = findTarget(phone, key?.id ?? '')
  if (!target || !isKeyOf(phone, target, author, key)) return
  const { shown } = target
  if (reaction) {
    const others = shown.reactions.filter(({ from }) => from !== author.phoneNumber)
    const mine = reaction.text ? [{ from: author.phoneNumber, text: reaction.text }] : []
    shown.reactions = [...others, ...mine]
  } else if (protocol?.type === MESSAGE_EDIT && protocol.editedMessage && target.author === author) {
    shown.text = readText(protocol.editedMessage)
    shown.edited = true
  } else if (protocol?.type === REVOKE && mayDelete(phone, target, author)) {
    shown.text = null
    shown.deleted = true
  }
}

/** Keeps a message, or no longer. Without the attribute of a deletion nobody takes back the keep of a message of their own. */
function applyKeep(phone: Phone, author: Account, { key, keepType }: proto.Message.IKeepInChatMessage, edit?: string) {
  const target = findTarget(phone, key?.id ?? '')
  if (!target || !isKeyOf(phone, target, author, key)) return
  const isKept = keepType === proto.KeepType.KEEP_FOR_ALL
  if (isKept || target.author !== author || edit === '7') target.shown.kept = isKept
}

const PIN_SECONDS: readonly number[] = [86_400, 604_800, 2_592_000]

/** Pins or unpins. In a group whose data only admins change, nobody sees the pin of another member. */
function applyPin(phone: Phone, author: Account, { pinInChatMessage: pin, messageContextInfo }: proto.IMessage): void {
  const target = findTarget(phone, pin?.key?.id ?? '')
  if (!target || !isKeyOf(phone, target, author, pin?.key) || !mayPin(phone, target, author)) return
  const seconds = messageContextInfo?.messageAddOnDurationInSecs ?? 0
  if (pin?.type === UNPIN_FOR_ALL) target.shown.pinned = 0
  else if (PIN_SECONDS.includes(seconds)) target.shown.pinned = seconds
}

function mayPin(phone: Phone, { chat }: Target, author: Account): boolean {
  const group = phone.network.groups.get(chat)
  return !group?.locked || group.members.get(author) !== 'member'
}

/** The edit that is encrypted under the secret of a message of `author`. */
function readSecretEdit(phone: Phone, author: Account, message: proto.IMessage) {
  const key = message.secretEncryptedMessage?.targetMessageKey
  const target = findTarget(phone, key?.id ?? '')
  if (!target || target.author !== author || !isKeyOf(phone, target, author, key)) return undefined
  return openEdit(message, findSecret(target.shown.message), [author.jid('pn'), author.jid('lid')])
}

/** Shows the file of a large copy in the message that it names: people see one message. Its author must have sent the small copy, too. */
export function joinHdCopy(phone: Phone, id: string): void {
  const copy = phone.inbox.messages.get(id)
  const { associationType, parentMessageKey: key } = copy?.message.messageContextInfo?.messageAssociation ?? {}
  const isHd = associationType === HD_IMAGE_DUAL_UPLOAD || associationType === HD_VIDEO_DUAL_UPLOAD
  const small = phone.inbox.messages.get(key?.id ?? '')
  const author = phone.network.directory.accounts.get(copy?.from ?? '')
  const target = findTarget(phone, key?.id ?? '')
  if (!copy?.message.associatedChildMessage || !isHd || !small || !author || target?.author !== author) return
  if (small.chat !== copy.chat || !isKeyOf(phone, target, author, key)) return
  small.hd = id
  small.media = copy.media
  copy.hidden = true
}

/** In a group a message is named with who wrote it, unless that is who names it. */
function isKeyOf(phone: Phone, target: Target, author: Account, key: proto.IMessageKey | null | undefined): boolean {
  if (!phone.network.groups.has(target.chat)) return true
  return target.author === author
    ? key?.fromMe === true
    : key?.fromMe !== true && isNamed(phone, target.chat, key?.participant, target.author)
}

function mayDelete(phone: Phone, target: Target, author: Account): boolean {
  const role = phone.network.groups.get(target.chat)?.members.get(author)
  return target.author === author || role === 'admin' || role === 'superadmin'
}

/** A message that this phone has sent or received. */
export function findTarget(phone: Phone, id: string): Target | undefined {
  const sent = phone.sent.get(id)
  if (sent) return { chat: sent.chat, author: phone.account, shown: sent }
  const received = phone.inbox.messages.get(id)
  const author = phone.network.directory.accounts.get(received?.from ?? '')
  return received && author && { chat: received.chat, author, shown: received }
}
