/** Votes of a poll. They are encrypted under the secret of the poll's message, and name its options by their hashes. */
import { createHash } from 'node:crypto'
import { decryptPollVote, type proto } from '@whiskeysockets/baileys'
import type { MessageWithNewer } from './kinds/newer-parts.js'

export interface PollVote {
  /** Name of the voter. The same for both addresses of a person. */
  readonly voter: string
  /** Chosen options, which replace those of an earlier vote. Empty when the vote was withdrawn. */
  readonly options: readonly string[]
  readonly timestampMs: number
}

export interface PollTally {
  readonly option: string
  readonly voters: readonly string[]
}

/**
 * Maximum number and length of options. Each vote is stored with the texts of its options, and the tally with those of all options, so large
 * polls of strangers would cost megabytes for each vote. The network's clients allow 12 different options of 100 characters.
 */
const OPTIONS_MAX = 100
const OPTION_LENGTH_MAX = 1_000

/** Returns the options of a poll in their order. Returns null if the message is no poll, or no client would make it. */
export function pollOptions(message: proto.IMessage): readonly string[] | null {
  const options = findPoll(message)?.options?.map(({ optionName }) => optionName ?? '') ?? null
  if (options === null || options.length > OPTIONS_MAX || new Set(options).size < options.length) return null
  return options.some(({ length }) => length > OPTION_LENGTH_MAX) ? null : options
}

/**
 * Returns the options of a vote, in the order of the poll. Returns null if none of the addresses decrypts it. Needs the secrets of the poll's message, and both addresses of both
 * people (bare number and LID), because the vote does not have the address that the voter's client used.
 */
export function decryptVote(
  vote: proto.Message.IPollUpdateMessage,
  { message, secrets }: { readonly message: proto.IMessage; readonly secrets: readonly Uint8Array[] },
  people: { readonly creator: readonly string[]; readonly voter: readonly string[] },
): readonly string[] | null {
  const pollMsgId = vote.pollCreationMessageKey?.id
  const options = pollOptions(message)
  if (!vote.vote?.encPayload || !vote.vote.encIv || !pollMsgId || options === null) return null
  for (const { pollEncKey, pollCreatorJid, voterJid } of keysFor(message, secrets, people)) {
    try {
      const { selectedOptions } = decryptPollVote(vote.vote, { pollCreatorJid, pollMsgId, pollEncKey, voterJid })
      const taken = new Set(selectedOptions.map((hash) => Buffer.from(hash).toString('hex')))
      return options.filter((option) => taken.has(hashOption(option)))
    } catch {
      // The key depends on the addresses, so decryption with the wrong ones fails.
    }
  }
  return null
}

function* keysFor(
  message: proto.IMessage,
  secrets: readonly Uint8Array[],
  { creator, voter }: { readonly creator: readonly string[]; readonly voter: readonly string[] },
) {
  const ofPoll = findPoll(message)?.encKey
  for (const pollEncKey of ofPoll ? [...secrets, ofPoll] : secrets)
    for (const pollCreatorJid of creator) for (const voterJid of voter) yield { pollEncKey, pollCreatorJid, voterJid }
}

/** Counts the votes of each option. The latest vote of each voter counts; of two with the same time the later one in the list. */
export function tally(options: readonly string[], votes: readonly PollVote[]): readonly PollTally[] {
  const latest = new Map<string, PollVote>()
  for (const vote of votes) {
    const known = latest.get(vote.voter)
    if (known === undefined || vote.timestampMs >= known.timestampMs) latest.set(vote.voter, vote)
  }
  const votersByOption = new Map<string, string[]>(options.map((option) => [option, []]))
  for (const { voter, options: taken } of latest.values())
    for (const option of new Set(taken)) votersByOption.get(option)?.push(voter)
  return options.map((option) => ({ option, voters: votersByOption.get(option) ?? [] }))
}

/** Returns the poll that a message makes, in any of its versions; null if it makes none. */
export function findPoll(message: MessageWithNewer): proto.Message.IPollCreationMessage | null {
  return (
    message.pollCreationMessage ??
    message.pollCreationMessageV2 ??
    message.pollCreationMessageV3 ??
    message.pollCreationMessageV5 ??
    message.pollCreationMessageV6 ??
    null
  )
}

function hashOption(option: string): string {
  return createHash('sha256').update(option).digest('hex')
}
