/** Reads received votes and counts their polls. Uses the store only, so that every owner of the instance gets the same result. */
import type { proto } from '@whiskeysockets/baileys'
import type { InstanceId, Jid } from '../../../schemas/ids.js'
import { type ChatAddress, isSameChat, toChatId } from '../../../schemas/jid.js'
import type { NewMessage } from '../../../schemas/stored-fields.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import type { InstanceReader, StoredVote } from '../../instance/instance-reader.js'
import type { InstanceJournal } from '../../instance/ports.js'
import type { NetworkEvent } from '../port/events.js'
import { unwrap } from './incoming.js'
import { toMessageId } from './key-codec.js'
import { readMessage } from './kinds/read-message.js'
import { decryptVote, type PollVote, pollOptions, tally } from './poll-votes.js'
import { secretsIn } from './secrets/message-secrets.js'
import { findAuthor, findBoth } from './secrets/people.js'

export interface PollStore {
  readonly instance: InstanceId
  readonly journal: Pick<InstanceJournal, 'settled'>
  readonly reader: Pick<InstanceReader, 'messagesById' | 'pollVotes' | 'mapping'>
}

/** Returns the vote in a decrypted message, or null. */
export function findVote(message: proto.IMessage): proto.Message.IPollUpdateMessage | null {
  return unwrap(message).pollUpdateMessage ?? null
}

/** Returns whether the record of a message is a vote whose options are not known, as that of one whose poll is missing. */
export function isUnreadVote({ messageType, content }: { readonly messageType?: unknown; readonly content?: unknown }) {
  const { pollCreationMessageKey, selectedOptions } = (content ?? {}) as Record<string, unknown>
  return messageType === 'poll' && pollCreationMessageKey !== undefined && !Array.isArray(selectedOptions)
}

/**
 * Returns the message with the options of its vote, and the new tally of the poll. Leaves a vote unchanged if its poll is unknown, if no
 * client would make the poll, or if the vote does not decrypt. Waits until everything written before is durable, because earlier votes count.
 * @throws when the store cannot be read
 */
export async function readVote(
  message: NewMessage,
  vote: proto.Message.IPollUpdateMessage,
  own: { jid: string; lid: string | null },
  store: PollStore,
): Promise<readonly NetworkEvent[]> {
  const { instance, journal, reader } = store
  const asItCame = { type: 'message', message } as const
  if (message.quoted === undefined) return [asItCame]
  await journal.settled()
  const rows = await reader.messagesById(instance, [toMessageId(message.quoted)])
  // Only polls of the same chat: the sender of a poll chooses its id.
  const [poll] = rows.filter((row) => isSameChat(row.chat, message.chat)).flatMap((row) => pollIn(row) ?? [])
  if (poll === undefined) return [asItCame]
  const people = {
    creator: await findAuthor(poll.row, own, store),
    voter: await findBoth(personIn(message), store, message.sender),
  }
  const taken = decryptVote(vote, poll, people)
  if (taken === null) return [asItCame]
  const content = { ...(message.content as object), selectedOptions: taken }
  const voter = personIn(message)
  const { messageid, messageTimestampMs } = message
  const before = await reader.pollVotes(instance, toMessageId(message.quoted))
  // Last, so that it counts instead of an earlier copy of itself.
  const votes = countable([...before, { messageid, voter, content, messageTimestampMs }])
  return [
    { type: 'message', message: { ...message, vote: taken.join(', '), content } },
    {
      type: 'tallied',
      messageid: poll.row.messageid,
      chat: poll.row.chat,
      fromMe: poll.row.fromMe,
      voter,
      byMe: message.fromMe,
      timestampMs: messageTimestampMs,
      tally: tally(poll.options, votes).map(({ option, voters }) => ({ option, voters: voters as Jid[] })),
      content: poll.row.record.content,
    },
  ]
}

function pollIn(row: MessageForActor) {
  if (row.proto === null) return null
  const whole = readMessage(row.proto)
  const message = unwrap(whole)
  const options = pollOptions(message)
  return options === null ? null : { row, options, message, secrets: secretsIn(whole) }
}

function personIn({ senderPn, senderLid }: NewMessage): ChatAddress {
  return {
    ...(senderPn === undefined ? {} : { pn: senderPn }),
    ...(senderLid === undefined ? {} : { lid: senderLid }),
  }
}

/** Gives each voter one name, whichever address their votes used. */
export function countable(votes: readonly StoredVote[]): PollVote[] {
  const numbers = new Map<Jid, Jid>()
  for (const { voter } of votes) if (voter.pn !== undefined && voter.lid !== undefined) numbers.set(voter.lid, voter.pn)
  return votes.flatMap(({ voter, content, messageTimestampMs }) => {
    const { selectedOptions, senderTimestampMs } = content as { selectedOptions?: unknown; senderTimestampMs?: unknown }
    if (!Array.isArray(selectedOptions)) return []
    return {
      voter: voter.pn ?? numbers.get(voter.lid as Jid) ?? toChatId(voter),
      options: selectedOptions as string[],
      // Prefers the voter's own clock, because the server's has a resolution of a second.
      timestampMs: Number(senderTimestampMs) || messageTimestampMs,
    }
  })
}
