import { GatewayError } from '../../../schemas/errors.js'
import type {
  CancelScheduledQuery,
  CancelScheduledReply,
  EditScheduledReply,
  EditScheduledRequest,
  HistorySyncReply,
  HistorySyncRequest,
  KeepMessageReply,
  KeepMessageRequest,
  PinMessageReply,
  PinMessageRequest,
  QueueClearReply,
  QueueStatusReply,
  StarMessageReply,
  StarMessageRequest,
  StatusViewsReply,
  StatusViewsRequest,
  VotePollReply,
  VotePollRequest,
} from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { parseAddress, readUser, toChatId } from '../../../schemas/jid.js'
import { newMessageId } from '../../../schemas/message-id.js'
import { readIdempotency } from '../../input/idempotency.js'
import { instanceRoute, type Route } from '../../route.js'
import { changeErrors, withText } from '../change-failed.js'
import { findAccount } from '../own-account.js'
import { messageIdFor } from '../send/ask.js'
import { readSchedule, sendErrors, sendReply } from '../send/options.js'
import { downloadMessage } from './download.js'
import { findMessages } from './find.js'
import { listReactions, listVotes, showMessageInfo } from './info.js'
import { markRead } from './markread.js'
import { showPresence } from './presence.js'
import { reactToMessage } from './react.js'
import { reducedRecord, withSendErrorMessage } from './reduced-record.js'
import { deleteMessage, editMessage } from './revisions.js'
import { listScheduled } from './scheduled.js'

const DAY_SECONDS = 86_400

export const pinMessage = instanceRoute<PinMessageRequest>({
  method: 'POST',
  path: '/message/pin',
  name: 'pinMessage',
  area: 'Message',
  scope: 'send',
  keyChat: { messages: ['id'] },
  summary: 'Pin a message in its chat for all members, or unpin it',
  schema: 'message/pin.json',
  errors: [
    'MISSING_ID',
    'MESSAGE_NOT_FOUND',
    'MESSAGE_NOT_SENT',
    'NOT_SUPPORTED',
    'GROUP_NOT_FOUND',
    'NOT_GROUP_ADMIN',
    'INSTANCE_NOT_FOUND',
    'INSTANCE_NOT_CONNECTED',
    'INSTANCE_MOVING',
    'NETWORK_REFUSED',
    'SEND_REFUSED',
    'OUTCOME_UNKNOWN',
  ],
  async handle({ instance, body, warnings }, { ports }): Promise<PinMessageReply> {
    const { id, pin = true, duration = 7 } = body
    if (!id) throw new GatewayError('MISSING_ID')
    if (!pin && body.duration !== undefined) warnings.push('duration: an unpinned message has none, ignored')
    const messageid = newMessageId()
    const seconds = pin ? duration * DAY_SECONDS : 0
    const pinned = await ports.router
      .ask(instance.id, { type: 'pinMessage', messageid, id, seconds })
      .catch(withSendErrorMessage('Error sending message'))
    const owner = await findAccount(instance, ports.router)
    const { content, timestampMs: messageTimestamp } = pinned
    return {
      ...reducedRecord({ messageid, content, messageTimestamp, messageType: 'pin', owner }),
      targetMessageID: pinned.messageid,
      pinned: pin,
      pinnedUntil: pin ? messageTimestamp + seconds * 1000 : 0,
    }
  },
})

/** Phones send so many at most (automagik-dev/omni issue 1121). */
const COUNT_OF_PHONES = 50

const WAITING =
  'The phone was asked and has not answered yet. It must be on and online. The event `history` brings the messages, or says after a minute that no answer came.'

const syncHistory = instanceRoute<HistorySyncRequest>({
  method: 'POST',
  path: '/message/history-sync',
  name: 'syncHistory',
  area: 'Message',
  scope: 'token',
  summary: 'Ask the phone for messages of the past',
  schema: 'message/history-sync.json',
  errors: [
    'INVALID_NUMBER',
    'CHAT_NOT_FOUND',
    'MESSAGE_NOT_FOUND',
    'HISTORY_RUNNING',
    'INSTANCE_NOT_FOUND',
    'INSTANCE_NOT_CONNECTED',
    'INSTANCE_MOVING',
    'OUTCOME_UNKNOWN',
  ],
  async handle({ instance, body, warnings }, { ports }): Promise<HistorySyncReply> {
    const { number, mode = 'history', messageid: id, count: wanted = COUNT_OF_PHONES } = body
    if (mode === 'exact' && !id) throw invalidField('messageid', 'is required in the mode exact')
    if (mode === 'exact' && body.count !== undefined) warnings.push('count: the mode exact is for one message, ignored')
    else if (wanted > COUNT_OF_PHONES)
      warnings.push(`count: phones send ${COUNT_OF_PHONES} messages at most; ask again for earlier ones`)
    const count = mode === 'exact' ? 1 : Math.min(wanted, COUNT_OF_PHONES)
    const requestId = newMessageId()
    const { chat, messageid, answer } = await ports.router.ask(instance.id, {
      type: 'requestHistory',
      ...{ requestId, number, mode, count, ...(id ? { id } : {}) },
    })
    const asked = { requestId, chat, messageid, count }
    if (answer === null) return { success: true, mode, message: WAITING, details: { ...asked, state: 'waiting' } }
    const { messages, isEnd: isComplete } = answer
    const sentence =
      messages === 0 ? 'The phone answered and has no such message.' : `The phone sent ${messages} messages.`
    return { success: true, mode, message: sentence, details: { ...asked, state: 'answered', messages, isComplete } }
  },
})

const editScheduled = instanceRoute<EditScheduledRequest>({
  method: 'POST',
  path: '/message/scheduled/edit',
  name: 'editScheduled',
  area: 'Message',
  scope: 'send',
  summary: 'Change a message that is scheduled: its time, its text, or its `track_id`',
  schema: 'message/scheduled-edit.json',
  errors: [
    'MESSAGE_NOT_FOUND',
    'SCHEDULE_TAKEN',
    'SCHEDULE_CHANGED',
    'INSTANCE_NOT_FOUND',
    'INSTANCE_MOVING',
    'OUTCOME_UNKNOWN',
  ],
  async handle({ instance, body, warnings }, { ports }): Promise<EditScheduledReply> {
    const { id, revision, text, track_id, expire_after } = body
    const schedule = body.send_at === undefined ? null : readSchedule(body, warnings)
    if (schedule === null && text === undefined && track_id === undefined && expire_after === undefined)
      throw new GatewayError('INVALID_REQUEST', {
        message: 'Invalid request: send_at, expire_after, text or track_id must say what is to change.',
        details: [{ field: 'send_at', why: 'must be given, or expire_after, text or track_id' }],
      })
    const { record, warnings: found } = await ports.router.ask(instance.id, {
      type: 'reschedule',
      messageid: newMessageId(),
      id,
      revision,
      ...(schedule === null ? {} : { schedule }),
      ...(expire_after === undefined ? {} : { expireAfterMs: expire_after }),
      ...(text === undefined ? {} : { text }),
      ...(track_id === undefined ? {} : { trackId: track_id }),
    })
    warnings.push(...found)
    return sendReply(record)
  },
})

const listViews = instanceRoute<StatusViewsRequest>({
  method: 'POST',
  path: '/message/views',
  name: 'listStatusViews',
  area: 'Message',
  scope: 'read',
  summary: 'List who has received and seen a status post of this account',
  schema: 'message/views.json',
  errors: ['MESSAGE_NOT_FOUND', 'INSTANCE_NOT_FOUND', 'INSTANCE_MOVING'],
  async handle({ instance, body }, { ports }): Promise<StatusViewsReply> {
    const { id, limit = 100, offset = 0 } = body
    const { report, reached, delivered, seen, views, messageid } = await ports.router.ask(instance.id, {
      type: 'statusViews',
      id,
      limit,
      offset,
    })
    return {
      messageid,
      audience: report.audience,
      recipients: report.recipients,
      // The account itself is one of the people.
      reached: Math.min(reached, report.recipients),
      delivered,
      seen,
      viewers: views.map(({ person, name, deliveredMs, seenMs }) => ({
        jid: toChatId(person),
        lid: person.lid ?? '',
        phone: person.pn === undefined ? '' : readUser(person.pn),
        name,
        delivered: new Date(deliveredMs).toISOString(),
        seen: seenMs === null ? '' : new Date(seenMs).toISOString(),
      })),
      hasMore: offset + views.length < delivered,
    }
  },
})

const cancelScheduled = instanceRoute<undefined, CancelScheduledQuery>({
  method: 'DELETE',
  path: '/message/scheduled',
  name: 'cancelScheduled',
  area: 'Message',
  scope: 'send',
  summary: 'Cancel messages that are scheduled: one, or all of a chat or with a `track_id`',
  schema: 'message/scheduled-cancel.json',
  errors: [
    'INVALID_NUMBER',
    'MESSAGE_NOT_FOUND',
    'SCHEDULE_TAKEN',
    'INSTANCE_NOT_FOUND',
    'INSTANCE_MOVING',
    'OUTCOME_UNKNOWN',
  ],
  async handle({ instance, query }, { ports }): Promise<CancelScheduledReply> {
    const { id, chat, track_id: trackId } = query
    if ([id, chat, trackId].filter((one) => one !== undefined).length !== 1)
      throw new GatewayError('INVALID_REQUEST', {
        message: 'Invalid request: exactly one of id, chat and track_id must be given.',
        details: [{ field: 'id', why: 'exactly one of id, chat and track_id must be given' }],
      })
    if (chat !== undefined) parseAddress(chat, 'chat')
    const { canceled, messageid } = await ports.router.ask(instance.id, {
      type: 'cancelScheduled',
      ...(id === undefined ? {} : { id }),
      ...(chat === undefined ? {} : { chat }),
      ...(trackId === undefined ? {} : { trackId }),
    })
    return { response: 'Canceled', canceled, ...(messageid === undefined ? {} : { messageid }) }
  },
})

const votePoll = instanceRoute<VotePollRequest>({
  method: 'POST',
  path: '/message/vote',
  name: 'votePoll',
  area: 'Message',
  scope: 'send',
  keyChat: { messages: ['id'] },
  summary: 'Vote in a poll, in place of an earlier vote, or take the vote back',
  schema: 'message/vote.json',
  idempotent: true,
  errors: [...sendErrors.filter((code) => !['SCHEDULE_FULL', 'MESSAGE_ID_USED'].includes(code)), 'MISSING_ID'],
  async handle({ instance, body, headers, warnings }, { ports }): Promise<VotePollReply> {
    const { id, options } = body
    if (!id) throw new GatewayError('MISSING_ID')
    const messageid = messageIdFor({ instance, headers, body: {} }, ports)
    const asked = {
      type: 'votePoll',
      messageid,
      id,
      options: [...new Set(options)],
      ...readIdempotency(headers, body),
    } as const
    const sent = await ports.router.ask(instance.id, asked).catch(withSendErrorMessage('Error sending message'))
    warnings.push(...sent.warnings)
    const { record } = sent
    return { ...reducedRecord(record), vote: String(record.vote ?? '') }
  },
})

const keepMessage = instanceRoute<KeepMessageRequest>({
  method: 'POST',
  path: '/message/keep',
  name: 'keepMessage',
  area: 'Message',
  scope: 'send',
  keyChat: { messages: ['id'] },
  summary: 'Keep a message in a chat whose messages disappear, or let it disappear',
  schema: 'message/keep.json',
  errors: [
    'MISSING_ID',
    'MESSAGE_NOT_FOUND',
    'MESSAGE_NOT_SENT',
    'NOT_SUPPORTED',
    'INSTANCE_NOT_FOUND',
    'INSTANCE_NOT_CONNECTED',
    'INSTANCE_MOVING',
    'SEND_REFUSED',
    'OUTCOME_UNKNOWN',
  ],
  async handle({ instance, body: { id, keep: isKept = true } }, { ports }): Promise<KeepMessageReply> {
    if (!id) throw new GatewayError('MISSING_ID')
    const kept = await ports.router
      .ask(instance.id, { type: 'keepMessage', messageid: newMessageId(), id, isKept })
      .catch(withSendErrorMessage('Error sending message'))
    return { response: isKept ? 'Message kept' : 'Message no longer kept', id: kept.messageid, kept: isKept }
  },
})

const tellQueue = instanceRoute({
  method: 'GET',
  path: '/message/async',
  name: 'tellQueue',
  area: 'Message',
  scope: 'read',
  summary: 'Show the state of the asynchronous send queue',
  schema: 'message/queue-status.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_MOVING'],
  async handle({ instance }, { ports }): Promise<QueueStatusReply> {
    const queue = await ports.router.ask(instance.id, { type: 'queueStatus' })
    return { response: sentences[queue.status], instanceId: instance.id, queue }
  },
})

const sentences = {
  idle: 'Nothing is queued',
  queued: 'Messages are queued',
  processing: 'A message of the queue is being sent',
  waiting_connection: 'The queue waits for a connection',
  resetting: 'The queue is being emptied',
} as const

const starMessage = instanceRoute<StarMessageRequest>({
  method: 'POST',
  path: '/message/star',
  name: 'starMessage',
  area: 'Message',
  scope: 'token',
  summary: 'Star a message on all devices of the account, or take the star away',
  schema: 'message/star.json',
  errors: ['MISSING_ID', 'MESSAGE_NOT_FOUND', 'MESSAGE_NOT_SENT', ...changeErrors],
  async handle({ instance, body: { id, star = true } }, { ports }): Promise<StarMessageReply> {
    if (!id) throw new GatewayError('MISSING_ID')
    const { messageid } = await ports.router
      .ask(instance.id, { type: 'starMessage', id, isSet: star })
      .catch(withText('Error starring message'))
    return { response: star ? 'Message starred' : 'Message unstarred', id: messageid, starred: star }
  },
})

const clearQueue = instanceRoute({
  method: 'DELETE',
  path: '/message/async',
  name: 'clearQueue',
  area: 'Message',
  scope: 'token',
  summary: 'Cancel the sends that are queued',
  schema: 'message/queue-clear.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_MOVING', 'QUEUE_BUSY', 'OUTCOME_UNKNOWN'],
  async handle({ instance }, { ports }): Promise<QueueClearReply> {
    const { canceled } = await ports.router.ask(instance.id, { type: 'queueClear' })
    return { response: 'The queue is empty', instanceId: instance.id, stats: { canceled } }
  },
})

/** Routes of the area, in the order of the documentation. */
export const messageRoutes: readonly Route[] = [
  findMessages,
  markRead,
  reactToMessage,
  editMessage,
  deleteMessage,
  pinMessage,
  starMessage,
  keepMessage,
  votePoll,
  downloadMessage,
  syncHistory,
  tellQueue,
  clearQueue,
  listScheduled,
  editScheduled,
  cancelScheduled,
  showPresence,
  listViews,
  showMessageInfo,
  listVotes,
  listReactions,
]
