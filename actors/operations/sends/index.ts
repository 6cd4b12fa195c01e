import { GatewayError } from '../../../schemas/errors.js'
import type {
  CancelScheduledReply,
  CancelScheduledRequest,
  RescheduleRequest,
} from '../../../schemas/scheduled-send.js'
import type {
  QueueStatus,
  ReviseReply,
  ReviseRequest,
  ScheduleRequest,
  SendReply,
  SendRequest,
} from '../../../schemas/send-request.js'
import {
  type AudienceReport,
  type RequestedAudience,
  STATUS_CHAT,
  type StatusPeople,
  type StatusView,
} from '../../../schemas/status-post.js'
import { type InstanceContext, perInstance } from '../context.js'
import { operation } from '../operation.js'
import { findAudience } from './audience.js'

interface SendStatusRequest extends Omit<SendRequest, 'number' | 'post'> {
  readonly audience: RequestedAudience
}

interface SendStatusReply extends SendReply {
  readonly report: AudienceReport
}

/** Posts a status. Answers with the outcome at the network, or that the post is pending. A repeated call does not look for people again. */
const sendStatus = operation('sendStatus', {
  // The owner looks for the row of the message id first.
  repeat: (command: SendStatusRequest) => (command.isRepeat ? command : { ...command, isRepeat: true }),
  example: ({ messageid }: SendStatusRequest): SendStatusReply => ({
    record: {
      id: 'r1',
      messageid,
      chatid: 'status@broadcast',
      fromMe: true,
      messageType: 'text',
      messageTimestamp: 1,
      status: 'sent',
      owner: '5511999990001',
    },
    warnings: [],
    report: {
      audience: 'allowlist',
      isSetting: false,
      requested: 1,
      recipients: 1,
      discarded: 0,
      discarded_recipients: [],
    },
  }),
  async run(context: InstanceContext, { audience, ...request }: SendStatusRequest): Promise<SendStatusReply> {
    const { sends, limits } = context
    const post = (await formerPost(context, request)) ?? (await findAudience(context, audience))
    const number = STATUS_CHAT.group as string
    const command = { ...request, type: 'send' as const, number, isLiteral: true, post }
    const reply = await sends.send(command).catch(async (error: unknown) => {
      throw await limits.explained(error)
    })
    return { ...reply, report: (await readReport(context, reply)) ?? post.report }
  },
})

/** Returns the post of a call that was made before, so that its people are not looked up again. */
async function formerPost(
  { id, reader, journal }: InstanceContext,
  { messageid, isRepeat, idempotencyKey }: Pick<SendRequest, 'messageid' | 'isRepeat' | 'idempotencyKey'>,
): Promise<StatusPeople | null> {
  await journal.settled()?.catch(() => {})
  const first = idempotencyKey === undefined ? null : await reader.messageByIdempotencyKey(id, idempotencyKey)
  if (first === null && isRepeat !== true) return null
  return await reader.statusReport(id, first?.messageid ?? messageid)
}

/** Returns the stored report: a call with the key of another one gets that one's. */
async function readReport({ id, reader }: InstanceContext, { record }: SendReply): Promise<AudienceReport | null> {
  const { messageid } = record as { readonly messageid?: Parameters<typeof reader.statusReport>[1] }
  if (messageid === undefined) throw new GatewayError('OUTCOME_UNKNOWN')
  return (await reader.statusReport(id, messageid))?.report ?? null
}

interface StatusViewsRequest {
  /** `owner:messageid`, the bare id, or the id of the record. */
  readonly id: string
  readonly limit: number
  readonly offset: number
}

interface StatusViewsReply {
  readonly messageid: string
  readonly reached: number
  readonly report: AudienceReport
  readonly delivered: number
  readonly seen: number
  readonly views: readonly StatusView[]
}

/** Answers with the people who have received and seen a status post of this account. */
const statusViews = operation('statusViews', {
  repeat: true,
  example: ({ id }: StatusViewsRequest): StatusViewsReply => ({
    messageid: id,
    reached: 1,
    report: {
      audience: 'contacts',
      isSetting: true,
      requested: 1,
      recipients: 1,
      discarded: 0,
      discarded_recipients: [],
    },
    delivered: 0,
    seen: 0,
    views: [],
  }),
  async run(
    { id: instance, reader, journal }: InstanceContext,
    { id, limit, offset }: StatusViewsRequest,
  ): Promise<StatusViewsReply> {
    // Receipts wait for company before they are written.
    await journal.settled()?.catch(() => {})
    const messages = await reader.messagesNamed(instance, [id])
    const own = messages.find(({ fromMe }) => fromMe)
    const post = own === undefined ? null : await reader.statusReport(instance, own.messageid)
    if (own === undefined || post === null)
      throw new GatewayError('MESSAGE_NOT_FOUND', { message: 'No status post of this account has that id.' })
    const { report, reached } = post
    const views = await reader.statusViews(instance, own.messageid, { limit, offset })
    return { messageid: own.messageid, reached, report, ...views }
  },
})

/** Maximum delay that a caller waits for. A send with a longer one is answered as `queued`. A node of release 0.1.0 takes none above it. */
const DELAY_WAITED_FOR_MAX_MS = 300_000

/** Sends a message. Answers with the outcome at the network, or that the send is pending or queued. */
const send = operation('send', {
  // The owner looks for the row of the message id first; see `schemas/shard-moved.ts`.
  repeat: (command: SendRequest) => (command.isRepeat ? command : { ...command, isRepeat: true }),
  waitMs: ({ options }) => Math.min(options.delayMs ?? 0, DELAY_WAITED_FOR_MAX_MS),
  example: ({ messageid }: SendRequest): SendReply => ({
    record: {
      id: 'r1',
      messageid,
      chatid: '5511999990002@s.whatsapp.net',
      fromMe: true,
      messageType: 'text',
      messageTimestamp: 1,
      status: 'sent',
      owner: '5511999990001',
    },
    warnings: [],
  }),
  run: (context: InstanceContext, command: SendRequest): Promise<SendReply> =>
    withChosenId(context, command, () =>
      context.sends.send({ type: 'send', ...command }).catch(async (error: unknown) => {
        throw await context.limits.explained(error)
      }),
    ),
})

/** Sends a message at a time of its own; now, if that is less than two seconds ahead. */
const schedule = operation('schedule', {
  // The owner looks for the row of the message id first; see `schemas/shard-moved.ts`.
  repeat: (command: ScheduleRequest) => (command.isRepeat ? command : { ...command, isRepeat: true }),
  example: ({ messageid, schedule: { atMs, asked, zone } }: ScheduleRequest): SendReply =>
    scheduledExample(messageid, { send_at: new Date(atMs).toISOString(), asked, timezone: zone, revision: 1 }),
  run: (context: InstanceContext, command: ScheduleRequest): Promise<SendReply> =>
    withChosenId(context, command, () =>
      context.sends.send({ type: 'schedule', ...command }).catch(async (error: unknown) => {
        throw await context.limits.explained(error)
      }),
    ),
})

/** Changes the time or the text of a send that is scheduled. */
const reschedule = operation('reschedule', {
  // The row keeps the id of its last change.
  repeat: true,
  example: ({ id, revision }: RescheduleRequest): SendReply =>
    scheduledExample(id, {
      send_at: '2027-01-31T12:00:00.000Z',
      asked: '2027-01-31T09:00:00-03:00',
      timezone: '',
      revision: revision + 1,
    }),
  run: ({ sends }: InstanceContext, command: RescheduleRequest): Promise<SendReply> => sends.reschedule(command),
})

/** Edits or deletes a message of this account, for everyone who has it; deletes a send that is still queued. */
const revise = operation('revise', {
  // Phones take two changes with one id for one, and a message that is edited or deleted already stays as it is.
  repeat: true,
  example: ({ id }: ReviseRequest): ReviseReply => ({
    messageid: id as ReviseReply['messageid'],
    timestampMs: 1,
    content: {},
  }),
  run: ({ sends, limits }: InstanceContext, command: ReviseRequest): Promise<ReviseReply> =>
    sends.revise({ type: 'revise', ...command }).catch(async (error: unknown) => {
      throw await limits.explained(error)
    }),
})

/** Answers with the state of the queue of asynchronous sends. */
const queueStatus = operation('queueStatus', {
  repeat: true,
  example: {
    status: 'idle',
    pending: 0,
    processingNow: false,
    acceptingNewMessages: true,
    sessionReady: true,
    resetting: false,
  },
  run: ({ sends }: InstanceContext): Promise<QueueStatus> => sends.queueStatus(),
})

/** Cancels sends that are scheduled. */
const cancelScheduled = operation('cancelScheduled', {
  repeat: true,
  example: { canceled: 1 },
  run: ({ sends }: InstanceContext, command: CancelScheduledRequest): Promise<CancelScheduledReply> =>
    sends.cancelScheduled(command),
})

/** Cancels the sends that are queued. */
const queueClear = operation('queueClear', {
  repeat: true,
  example: { canceled: 0 },
  run: ({ sends }: InstanceContext): Promise<{ readonly canceled: number }> => sends.clearQueue(),
})

export const sendOperations = [
  cancelScheduled,
  queueClear,
  queueStatus,
  reschedule,
  revise,
  schedule,
  send,
  sendStatus,
  statusViews,
] as const

/** Returns an example of the answer to a call that schedules a send or changes it. */
function scheduledExample(
  messageid: string,
  schedule: { readonly send_at: string; readonly asked: string; readonly timezone: string; readonly revision: number },
): SendReply {
  return {
    record: {
      id: messageid,
      messageid,
      chatid: '5511999990002@s.whatsapp.net',
      fromMe: true,
      messageType: 'text',
      messageTimestamp: 1,
      status: 'scheduled',
      owner: '5511999990001',
      schedule: { ...schedule, leaves_at: schedule.send_at, expires_at: schedule.send_at },
    },
    warnings: [],
  }
}

/** Ids of sends that are being accepted, with the `Idempotency-Key` of each. */
const claims = perInstance(() => new Map<string, string | undefined>())

/**
 * Accepts a send whose caller chose its id, unless another message has the id. A call that is repeated under its key is answered as before.
 * @throws GatewayError MESSAGE_ID_USED, and the errors of `send`
 */
async function withChosenId<Reply>(
  context: InstanceContext,
  command: SendRequest,
  send: () => Promise<Reply>,
): Promise<Reply> {
  const { messageid, idempotencyKey, isChosen, isRepeat } = command
  if (isChosen !== true || isRepeat) return await send()
  const claimed = claims(context)
  const isSame = idempotencyKey !== undefined && claimed.get(messageid) === idempotencyKey
  if (isSame) return await send()
  if (claimed.has(messageid)) throw new GatewayError('MESSAGE_ID_USED')
  claimed.set(messageid, idempotencyKey)
  try {
    if (await isUsed(context, command)) throw new GatewayError('MESSAGE_ID_USED')
    return await send()
  } finally {
    claimed.delete(messageid)
  }
}

async function isUsed({ id, reader, journal }: InstanceContext, { messageid, idempotencyKey: key }: SendRequest) {
  await journal.settled()?.catch(() => {})
  const [messages, scheduled] = await Promise.all([
    reader.messagesById(id, [messageid]),
    reader.scheduledSends(id, [messageid]),
  ])
  if (messages.length + scheduled.length === 0) return false
  if (key === undefined) return true
  const former = (await reader.messageByIdempotencyKey(id, key)) ?? (await reader.scheduledByIdempotencyKey(id, key))
  return former?.messageid !== messageid
}
