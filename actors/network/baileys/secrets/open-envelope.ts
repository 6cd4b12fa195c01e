import type { proto } from '@whiskeysockets/baileys'
import type { MessageForActor } from '../../../../schemas/stored-message.js'
import { readMessage } from '../kinds/read-message.js'
import { secretsIn } from './message-secrets.js'
import { openPayload, type UseCase } from './secret-cipher.js'
import type { SecretEnvelope } from './secret-envelope.js'

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
