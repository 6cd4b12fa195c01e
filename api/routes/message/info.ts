/** Reports about a message: receipts of the members of a group, votes, reactions. */
import type {
  MessageInfoReply,
  MessageInfoRequest,
  MessageReactionsReply,
  MessageVotesReply,
} from '../../../schemas/generated.js'
import { readUser, toChatId } from '../../../schemas/jid.js'
import type { NamedContact } from '../../../schemas/ports/chats.js'
import { instanceRoute } from '../../route.js'

// Bound: 2,048, the emojis of one message.

export const showMessageInfo = instanceRoute<MessageInfoRequest>({
  method: 'POST',
  path: '/message/info',
  isSearch: true,
  name: 'showMessageInfo',
  area: 'Message',
  scope: 'read',
  keyChat: { messages: ['id'] },
  summary: 'List who of a group has received, read and played a message of this account',
  schema: 'message/info.json',
  errors: ['MESSAGE_NOT_FOUND'],
  async handle({ instance, body: { id, limit = 100, offset = 0 } }, { ports }): Promise<MessageInfoReply> {
    const { people, ...info } = await ports.messages.receipts(instance.id, id, { limit, offset })
    return {
      ...info,
      people: people.map(({ deliveredMs, readMs, playedMs, ...person }) => ({
        ...shownPerson(person),
        delivered: formatTime(deliveredMs),
        read: formatTime(readMs),
        played: formatTime(playedMs),
      })),
      hasMore: offset + people.length < info.delivered,
    }
  },
})

export const listVotes = instanceRoute({
  method: 'GET',
  path: '/message/votes/:id',
  name: 'listMessageVotes',
  area: 'Message',
  scope: 'read',
  summary: 'List the votes of a poll',
  schema: 'message/votes.json',
  errors: ['MESSAGE_NOT_FOUND'],
  async handle({ instance, params: { id = '' } }, { ports }): Promise<MessageVotesReply> {
    return await ports.messages.votes(instance.id, id)
  },
})

export const listReactions = instanceRoute({
  method: 'GET',
  path: '/message/reactions/:id',
  isSearch: true,
  name: 'listMessageReactions',
  area: 'Message',
  scope: 'read',
  summary: 'List the reactions to a message',
  schema: 'message/reactions.json',
  errors: ['MESSAGE_NOT_FOUND'],
  async handle({ instance, params: { id = '' } }, { ports }): Promise<MessageReactionsReply> {
    const { reactions, ...message } = await ports.messages.reactions(instance.id, id)
    const counts = new Map<string, number>()
    for (const { emoji } of reactions) counts.set(emoji, (counts.get(emoji) ?? 0) + 1)
    return {
      ...message,
      reactions: reactions.map(({ person, name, ...reaction }) => ({ ...reaction, ...shownPerson({ person, name }) })),
      counts: [...counts].map(([emoji, count]) => ({ emoji, count })).toSorted((a, b) => b.count - a.count),
    }
  },
})

function shownPerson({ person, name }: NamedContact) {
  return {
    jid: toChatId(person),
    lid: person.lid ?? '',
    phone: person.pn === undefined ? '' : readUser(person.pn),
    name,
  }
}

function formatTime(ms: number | null): string {
  return ms === null ? '' : new Date(ms).toISOString()
}
