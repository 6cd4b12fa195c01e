/** Polls as a phone makes, draws and counts them; how it votes: `votes.ts`. */
import { createHash, randomBytes } from 'node:crypto'
import { decryptPollVote, type proto } from '@whiskeysockets/baileys'
import type { Account, AddressSpace } from '../network/model.js'

export interface ShownPoll {
  question: string
  /** 0: any number. */
  selectableCount: number
  options: { text: string; voters: string[] }[]
}

const SPACES = ['pn', 'lid'] as const

interface People {
  readonly creator: Account
  readonly voter: Account
  /** Of the group that was asked; a vote under the other addresses is not counted. */
  readonly addressing?: AddressSpace
}

function findCreation(message: proto.IMessage): proto.Message.IPollCreationMessage | null {
  const inner = message.pollCreationMessageV4?.message ?? message
  return (
    inner.pollCreationMessage ??
    inner.pollCreationMessageV2 ??
    inner.pollCreationMessageV3 ??
    inner.pollCreationMessageV5 ??
    null
  )
}

/** A poll as it is drawn before anybody voted; null when the message makes none. Without its secret nobody can vote, so it is not drawn. */
export function drawnPoll(message: proto.IMessage): ShownPoll | null {
  const poll = findCreation(message)
  if (!poll || message.messageContextInfo?.messageSecret?.length !== 32) return null
  const options = (poll.options ?? []).map(({ optionName }) => ({ text: optionName ?? '', voters: [] }))
  return { question: poll.name ?? '', selectableCount: poll.selectableOptionsCount ?? 0, options }
}

/** A poll in the version that a phone chooses by its choices: 1 for many, 3 for one; or in this one. */
export function pollMessage(
  question: string,
  options: readonly string[],
  selectableCount: number,
  version = selectableCount === 1 ? 3 : 1,
): proto.IMessage {
  const poll = {
    name: question,
    options: options.map((optionName) => ({ optionName })),
    selectableOptionsCount: selectableCount,
  }
  const messageContextInfo = { messageSecret: randomBytes(32) }
  switch (version) {
    case 1:
      return { messageContextInfo, pollCreationMessage: poll }
    case 4:
      return { messageContextInfo, pollCreationMessageV4: { message: { pollCreationMessage: poll } } }
    case 5:
      return { messageContextInfo, pollCreationMessageV5: poll }
    default:
      return { messageContextInfo, pollCreationMessageV3: poll }
  }
}

/** The poll with what a vote takes in place of what its voter took before; one that cannot be read changes nothing. */
export function countVote(
  poll: ShownPoll,
  creation: proto.IMessage,
  people: People,
  update: proto.Message.IPollUpdateMessage,
): void {
  const taken = opened(creation, people, update)
  if (!taken) return
  const { phoneNumber } = people.voter
  for (const option of poll.options) {
    option.voters = option.voters.filter((one) => one !== phoneNumber)
    if (taken.has(createHash('sha256').update(option.text).digest('hex'))) option.voters.push(phoneNumber)
  }
}

/** The hashes of the options that a vote takes; undefined when it cannot be read. */
function opened(
  poll: proto.IMessage,
  { creator, voter, addressing }: People,
  { vote: sealedVote, pollCreationMessageKey }: proto.Message.IPollUpdateMessage,
): Set<string> | undefined {
  const pollEncKey = poll.messageContextInfo?.messageSecret
  if (!pollEncKey || !sealedVote) return undefined
  const pollMsgId = pollCreationMessageKey?.id ?? ''
  const spaces = addressing ? [addressing] : SPACES
  for (const creatorSpace of spaces) {
    for (const voterSpace of spaces) {
      try {
        const people = { pollCreatorJid: creator.jid(creatorSpace), voterJid: voter.jid(voterSpace) }
        const { selectedOptions } = decryptPollVote(sealedVote, { ...people, pollMsgId, pollEncKey })
        return new Set(selectedOptions.map((hash) => Buffer.from(hash).toString('hex')))
      } catch {
        // Which of their addresses the voter used is not said.
      }
    }
  }
  return undefined
}
