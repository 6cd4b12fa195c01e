import type { proto } from '@whiskeysockets/baileys'
import type { NoteKind } from '../../../../schemas/message-note.js'
import type { MessageForActor } from '../../../../schemas/stored-message.js'
import { readMessage } from '../kinds/read-message.js'
import { secretsIn } from './message-secrets.js'
import { openPayload, type SealedPayload, type UseCase } from './secret-cipher.js'

export interface Opened {
  readonly plaintext: Uint8Array
  /** The stored message that has the secret. */
  readonly whole: proto.IMessage
}

/** Maximum number of secrets that are tried: one of each wrapper, and the one that the envelope repeats. */
const SECRETS_MAX = 4

/**
 * Decrypts an envelope with the secret of the stored message, or the one that the envelope repeats. Tries all pairs of the addresses of author
 * and modifier: neither is written in the envelope, and clients mix LIDs and numbers (Baileys issue 2342).
 * @param copySecrets secrets of the copy in high definition that the envelope names in place of the message
 */
export function openEnvelope(
  { payload, iv, target, useCases }: SecretEnvelope,
  { proto: bytes }: MessageForActor,
  message: proto.IMessage,
  people: { readonly author: readonly string[]; readonly modifier: readonly string[] },
  copySecrets: readonly Uint8Array[] = [],
): Opened | 'secret_missing' | 'undecryptable' {
  const whole = bytes === null ? {} : readMessage(bytes)
  const secrets = [...copySecrets, ...secretsIn(whole), ...secretsIn(message)].slice(0, SECRETS_MAX)
  if (secrets.length === 0) return 'secret_missing'
  for (const { secret, author, modifier, useCase } of candidates(secrets, people, useCases)) {
    const plaintext = openPayload({ payload, iv }, { secret, messageid: target, author, modifier, useCase })
    if (plaintext !== null) return { plaintext, whole }
  }
  return 'undecryptable'
}

function* candidates(
  secrets: readonly Uint8Array[],
  people: { readonly author: readonly string[]; readonly modifier: readonly string[] },
  useCases: readonly UseCase[],
) {
  for (const secret of secrets)
    for (const useCase of useCases)
      for (const author of people.author)
        for (const modifier of people.modifier) yield { secret, useCase, author, modifier }
}

/** A part of a message that is encrypted under the secret of an earlier message. */
export interface SecretEnvelope extends SealedPayload {
  readonly kind: NoteKind
  /** Id of the earlier message. */
  readonly target: string
  /** Use cases of its key, the likeliest first. None if it is not known how the key is made. */
  readonly useCases: readonly UseCase[]
}

type Key = proto.IMessageKey | null | undefined
type Bytes = Uint8Array | null | undefined

/** Kinds by `SecretEncryptedMessage.SecretEncType`. The library's schema ends at 2. */
const SECRET_KINDS: Readonly<Record<number, Pick<SecretEnvelope, 'kind' | 'useCases'>>> = {
  1: { kind: 'event_edit', useCases: ['Event Edit'] },
  2: { kind: 'edit', useCases: ['Message Edit'] },
  3: { kind: 'schedule', useCases: [] },
  4: { kind: 'poll_edit', useCases: ['Poll Edit'] },
  // Clients disagree: whatsmeow uses that of a poll's edit (`msgsecret.go`), zapo and whatsapp-rust one of its own.
  5: { kind: 'poll_option', useCases: ['Poll Add Option', 'Poll Edit'] },
}

/** Returns the envelope in a message without wrappers; null if it has none. */
export function envelopeIn(message: proto.IMessage): SecretEnvelope | null {
  const { secretEncryptedMessage, encReactionMessage, encCommentMessage, encEventResponseMessage } = message
  if (secretEncryptedMessage) {
    const { targetMessageKey, encPayload, encIv, secretEncType } = secretEncryptedMessage
    const kind = SECRET_KINDS[Number(secretEncType ?? 0)] ?? { kind: 'other', useCases: [] }
    return envelope(kind, targetMessageKey, encPayload, encIv)
  }
  if (encReactionMessage) {
    const { targetMessageKey, encPayload, encIv } = encReactionMessage
    return envelope({ kind: 'reaction', useCases: ['Enc Reaction'] }, targetMessageKey, encPayload, encIv)
  }
  if (encCommentMessage) {
    const { targetMessageKey, encPayload, encIv } = encCommentMessage
    return envelope({ kind: 'comment', useCases: ['Enc Comment'] }, targetMessageKey, encPayload, encIv)
  }
  if (encEventResponseMessage) {
    const { eventCreationMessageKey, encPayload, encIv } = encEventResponseMessage
    return envelope(
      { kind: 'event_response', useCases: ['Event Response'] },
      eventCreationMessageKey,
      encPayload,
      encIv,
    )
  }
  return null
}

function envelope(
  kind: Pick<SecretEnvelope, 'kind' | 'useCases'>,
  key: Key,
  payload: Bytes,
  iv: Bytes,
): SecretEnvelope {
  return { ...kind, target: key?.id ?? '', payload: payload ?? new Uint8Array(), iv: iv ?? new Uint8Array() }
}
