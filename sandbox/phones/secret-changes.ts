/** Changes that are encrypted under the secret of the message that they are about, as present phones send them. */
import type { proto } from '@whiskeysockets/baileys'
import type { AddressSpace } from '../network/model.js'
import { findRecipient } from './outbox.js'
import type { Phone } from './phone.js'
import { PhoneError } from './phone-error.js'
import { findSecret, sealSecret } from './secrets.js'
import { findTarget } from './shown.js'

/** Kinds of such changes: number of the type, or field of the message, and use case of the key. */
const KINDS = {
  event_edit: { type: 1, useCase: 'Event Edit' },
  edit: { type: 2, useCase: 'Message Edit' },
  schedule: { type: 3, useCase: 'Message Schedule' },
  poll_edit: { type: 4, useCase: 'Poll Edit' },
  poll_option: { type: 5, useCase: 'Poll Add Option' },
  reaction: { field: 'encReactionMessage', useCase: 'Enc Reaction' },
  comment: { field: 'encCommentMessage', useCase: 'Enc Comment' },
  event_response: { field: 'encEventResponseMessage', useCase: 'Event Response' },
} as const

export type SecretKind = keyof typeof KINDS

export interface SecretOptions {
  /** Addresses in the key. By default those of the chat. */
  readonly author?: AddressSpace | undefined
  readonly modifier?: AddressSpace | undefined
  /** Chat of the message, if this phone does not have the message. */
  readonly to?: string | undefined
  readonly useCase?: string | undefined
  readonly addressing?: AddressSpace | undefined
  /** The payload has one wrong bit. */
  readonly isDamaged?: boolean | undefined
  /** The envelope has the secret too. */
  readonly repeatsSecret?: boolean | undefined
}

export function isSecretKind(kind: string): kind is SecretKind {
  return Object.hasOwn(KINDS, kind)
}

/** Finds the message that a change names, and makes the key of that message. */
export function keyOfTarget(phone: Phone, id: string, { to, addressing = phone.settings.addressing }: SecretOptions) {
  const target = findTarget(phone, id)
  const chat = target?.chat ?? to
  if (chat === undefined) throw new PhoneError(404, `No message ${id} is known to this phone.`)
  const author = target?.author ?? phone.account
  const group = phone.network.groups.get(chat)
  const space = group?.addressing ?? addressing
  const fromMe = author === phone.account
  const key: proto.IMessageKey = {
    id,
    fromMe,
    remoteJid: group?.jid ?? findRecipient(phone, chat).jid(space),
    ...(group && !fromMe && { participant: author.jid(space) }),
  }
  const secret = (target && findSecret(target.shown.message)) ?? phone.secretFor(id)
  return { chat, author, space, key, secret }
}

/** Sends a change; resolves with its id. */
export async function sendSecret(
  phone: Phone,
  id: string,
  kind: SecretKind,
  plaintext: Uint8Array,
  options: SecretOptions = {},
): Promise<string> {
  const { chat, author, space, key, secret } = keyOfTarget(phone, id, options)
  const sealed = sealSecret(plaintext, {
    secret,
    id,
    author: author.jid(options.author ?? space),
    modifier: phone.account.jid(options.modifier ?? space),
    useCase: options.useCase ?? KINDS[kind].useCase,
  })
  if (options.isDamaged) sealed.encPayload = damaged(sealed.encPayload)
  const context = options.repeatsSecret ? { messageContextInfo: { messageSecret: secret } } : {}
  const { addressing } = options
  return phone.send(chat, { ...envelope(kind, key, sealed), ...context }, { ...(addressing && { addressing }) })
}

function envelope(kind: SecretKind, key: proto.IMessageKey, sealed: { encPayload: Uint8Array; encIv: Uint8Array }) {
  const how = KINDS[kind]
  if ('type' in how)
    return { secretEncryptedMessage: { targetMessageKey: key, secretEncType: how.type as number, ...sealed } }
  const name = kind === 'event_response' ? 'eventCreationMessageKey' : 'targetMessageKey'
  return { [how.field]: { [name]: key, ...sealed } }
}

function damaged(payload: Uint8Array): Uint8Array {
  const copy = Buffer.from(payload)
  copy[0] = (copy[0] ?? 0) ^ 1
  return copy
}
