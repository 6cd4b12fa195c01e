/** What a received vote takes, and what the poll comes to with it: from the store alone, so that any owner of the instance can tell. */
import { proto } from '@whiskeysockets/baileys'
import type { InstanceId, Jid } from '../../../schemas/ids.js'
import { bareJid, type ChatAddress, chatIdOf, isSameChat } from '../../../schemas/jid.js'
import type { NewMessage } from '../../../schemas/stored-fields.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import type { InstanceJournal, InstanceReader, StoredVote } from '../../instance/ports.js'
import type { NetworkEvent } from '../port/events.js'
import { unwrap } from './incoming.js'
import { messageIdOf } from './message-id.js'
import { decryptVote, type PollVote, pollOptions, tally } from './poll-votes.js'

export interface PollStore {
  readonly instance: InstanceId
  readonly journal: InstanceJournal
  readonly reader: InstanceReader
}

/** The vote in a decrypted message; null when it is none. */
export function voteIn(message: proto.IMessage): proto.Message.IPollUpdateMessage | null {
  return unwrap(message).pollUpdateMessage ?? null
}

/**
 * The message with what its vote takes, and the new tally of its poll. A vote stays as it came when its poll is not known, or is none that a
 * client makes, or when it does not decrypt. Waits until everything that was written before is durable, since the votes before this one
 * count.
 * @throws when the store does not answer
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
  const rows = await reader.messagesById(instance, [messageIdOf(message.quoted)])
  // Of its own chat: who sends a poll chooses its id.
  const [poll] = rows.filter((row) => isSameChat(row.chat, message.chat)).flatMap((row) => pollIn(row) ?? [])
  if (poll === undefined) return [asItCame]
  const people = {
    creator: await bothOf(poll.row.fromMe ? jidsOf(own.jid, own.lid) : sendersOf(poll.row), store),
    voter: await bothOf(jidsOf(message.sender, message.senderPn, message.senderLid), store),
  }
  const taken = decryptVote(vote, poll.message, people)
  if (taken === null) return [asItCame]
  const content = { ...(message.content as object), selectedOptions: taken }
  const voter: ChatAddress = {
    ...(message.senderPn === undefined ? {} : { pn: message.senderPn }),
    ...(message.senderLid === undefined ? {} : { lid: message.senderLid }),
  }
  const { messageid, messageTimestampMs } = message
  const before = await reader.pollVotes(instance, messageIdOf(message.quoted))
  // Last, so that it counts instead of its own former arrival.
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
  const whole = proto.Message.decode(row.proto)
  const inner = unwrap(whole)
  const options = pollOptions(inner)
  if (options === null) return null
  // Around a disappearing message the secret stands outside.
  const messageContextInfo = inner.messageContextInfo ?? whole.messageContextInfo ?? null
  return { row, options, message: { ...inner, messageContextInfo } }
}

function sendersOf({ sender, record }: MessageForActor): string[] {
  return jidsOf(sender, String(record.sender_pn ?? ''), String(record.sender_lid ?? ''))
}

function jidsOf(...jids: readonly (string | null | undefined)[]): string[] {
  return [...new Set(jids.flatMap((jid) => (jid ? [bareJid(jid)] : [])))]
}

/** With the address that the store knows of somebody of whom there is one. */
async function bothOf(jids: readonly string[], { reader, instance }: PollStore): Promise<string[]> {
  const [only] = jids
  const other = jids.length === 1 ? await reader.mapping(instance, only as Jid) : null
  return other === null ? [...jids] : [...jids, other]
}

/** Each voter under one name, whichever addresses their votes came under. */
function countable(votes: readonly StoredVote[]): PollVote[] {
  const numbers = new Map<Jid, Jid>()
  for (const { voter } of votes) if (voter.pn !== undefined && voter.lid !== undefined) numbers.set(voter.lid, voter.pn)
  return votes.flatMap(({ voter, content, messageTimestampMs }) => {
    const { selectedOptions, senderTimestampMs } = content as { selectedOptions?: unknown; senderTimestampMs?: unknown }
    if (!Array.isArray(selectedOptions)) return []
    return {
      voter: voter.pn ?? numbers.get(voter.lid as Jid) ?? chatIdOf(voter),
      options: selectedOptions as string[],
      // Of the voter's own clock: the server's counts seconds.
      timestampMs: Number(senderTimestampMs) || messageTimestampMs,
    }
  })
}
