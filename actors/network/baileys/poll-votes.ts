/** Votes of a poll. They are encrypted under the secret of the message that made the poll, and name its options by their hashes. */
import { createHash } from 'node:crypto'
import { decryptPollVote, type proto } from '@whiskeysockets/baileys'

export interface PollVote {
  /** Who voted; the same text for the same person, whichever address a vote came under. */
  readonly voter: string
  /** What they take now, which replaces what they took before; none when they took their vote back. */
  readonly options: readonly string[]
  readonly timestampMs: number
}

export interface PollTally {
  readonly option: string
  readonly voters: readonly string[]
}

/**
 * Each vote is written with the texts of what it takes, and the tally with those of all options: a stranger's poll of many or long ones
 * would be megabytes for each vote, as often as he votes. The network's clients allow 12 options of 100 characters, and no two alike.
 */
const OPTIONS_MAX = 100
const OPTION_LENGTH_MAX = 1_000

/** The options of a poll in their order; null when the message makes no poll, or none that a client makes. */
export function pollOptions(message: proto.IMessage): readonly string[] | null {
  const options = pollOf(message)?.options?.map(({ optionName }) => optionName ?? '') ?? null
  if (options === null || options.length > OPTIONS_MAX || new Set(options).size < options.length) return null
  return options.some(({ length }) => length > OPTION_LENGTH_MAX) ? null : options
}

/**
 * The options that a vote takes, in the order of the poll; null when none of the addresses decrypts it. Both addresses of both people
 * are to be given (number and LID, bare): which of them the voter's client used is not said in the vote.
 */
export function decryptVote(
  vote: proto.Message.IPollUpdateMessage,
  poll: proto.IMessage,
  people: { readonly creator: readonly string[]; readonly voter: readonly string[] },
): readonly string[] | null {
  const pollMsgId = vote.pollCreationMessageKey?.id
  const pollEncKey = poll.messageContextInfo?.messageSecret ?? pollOf(poll)?.encKey
  const options = pollOptions(poll)
  if (!vote.vote?.encPayload || !vote.vote.encIv || !pollMsgId || !pollEncKey || options === null) return null
  for (const pollCreatorJid of people.creator) {
    for (const voterJid of people.voter) {
      try {
        const { selectedOptions } = decryptPollVote(vote.vote, { pollCreatorJid, pollMsgId, pollEncKey, voterJid })
        const taken = new Set(selectedOptions.map((hash) => Buffer.from(hash).toString('hex')))
        return options.filter((option) => taken.has(hashOf(option)))
      } catch {
        // The key depends on the addresses: with the wrong ones the seal of the ciphertext does not fit.
      }
    }
  }
  return null
}

/** Who takes each option now: of each voter the latest vote counts, of two of the same time the later in the list. */
export function tally(options: readonly string[], votes: readonly PollVote[]): readonly PollTally[] {
  const latest = new Map<string, PollVote>()
  for (const vote of votes) {
    const known = latest.get(vote.voter)
    if (known === undefined || vote.timestampMs >= known.timestampMs) latest.set(vote.voter, vote)
  }
  const votersOf = new Map<string, string[]>(options.map((option) => [option, []]))
  for (const { voter, options: taken } of latest.values())
    for (const option of new Set(taken)) votersOf.get(option)?.push(voter)
  return options.map((option) => ({ option, voters: votersOf.get(option) ?? [] }))
}

function pollOf(message: proto.IMessage): proto.Message.IPollCreationMessage | null {
  return (
    message.pollCreationMessage ??
    message.pollCreationMessageV2 ??
    message.pollCreationMessageV3 ??
    message.pollCreationMessageV5 ??
    null
  )
}

function hashOf(option: string): string {
  return createHash('sha256').update(option).digest('hex')
}
