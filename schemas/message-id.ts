import { createHmac } from 'node:crypto'
import { randomHex } from '../lib/random.js'
import type { InstanceId, MessageId } from './ids.js'

/** Digits behind the prefix, as in ids of the network's web clients: 18 bytes (Baileys, `generateMessageID`). */
const DIGITS = 36

/** Makes a new message id in the form that the network's web clients make: `3EB0` and 18 random bytes. */
export function newMessageId(): MessageId {
  return `3EB0${randomHex(DIGITS / 2).toUpperCase()}` as MessageId
}

/**
 * Message ids that come out the same when a send is asked for again. Phones drop an id that they know, so a message whose row was lost with
 * its commit reaches the chat once. A secret is part of them: nobody else can tell which id a message will have.
 */
export interface MessageIds {
  /** Returns the id of a send under an `Idempotency-Key`. */
  ofKey(instance: InstanceId, key: string): MessageId
  /** Returns the id of a campaign's message. `attempts`: number of messages that the recipient got before, all of which were refused. */
  ofRecipient(instance: InstanceId, recipient: CampaignPlace): MessageId
  /** Returns the id of a part of an agent's answer. */
  ofAnswer(instance: InstanceId, answer: AnswerPlace): MessageId
}

export interface AnswerPlace {
  readonly turn: string
  /** The last message that is answered. A turn that has lost messages, and then answers later ones, gives another id. */
  readonly answered: MessageId
  readonly part: number
  /** A fixed text instead of an answer of the model. */
  readonly isFallback: boolean
}

export interface CampaignPlace {
  readonly folderId: string
  readonly ordinal: number
  readonly attempts: number
}

/**
 * Time for which a key gives the same id. Less than the 24 hours for which a key is valid, so that a key that is used again gives another id,
 * also where two nodes disagree about the time.
 */
const KEY_PERIOD_MS = 23 * 60 * 60_000

/** @param secret the same on all nodes of a cluster */
export function createMessageIds(secret: Uint8Array, now: () => number = Date.now): MessageIds {
  // JSON, so that no two lists of parts give the same text.
  const digest = (...parts: readonly (string | number)[]) =>
    createHmac('sha256', secret).update(JSON.stringify(parts)).digest()
  const toId = (bytes: Buffer) => `3EB0${bytes.toString('hex').slice(0, DIGITS).toUpperCase()}` as MessageId
  return {
    ofKey(instance, key) {
      // Each key has periods of its own, so that not all of them end at once.
      const offsetMs = digest('period', instance, key).readUInt32BE(0) % KEY_PERIOD_MS
      return toId(digest('key', instance, key, Math.floor((now() + offsetMs) / KEY_PERIOD_MS)))
    },
    ofRecipient: (instance, { folderId, ordinal, attempts }) =>
      toId(digest('campaign', instance, folderId, ordinal, attempts)),
    ofAnswer: (instance, { turn, answered, part, isFallback }) =>
      toId(digest(isFallback ? 'fallback' : 'answer', instance, turn, answered, part)),
  }
}
