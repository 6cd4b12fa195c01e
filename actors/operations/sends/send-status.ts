import { GatewayError } from '../../../schemas/errors.js'
import type { SendReply, SendRequest } from '../../../schemas/send-request.js'
import {
  type AudienceReport,
  type RequestedAudience,
  STATUS_CHAT,
  type StatusPeople,
} from '../../../schemas/status-post.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { findAudience } from './audience.js'

export interface SendStatusRequest extends Omit<SendRequest, 'number' | 'post'> {
  readonly audience: RequestedAudience
}

export interface SendStatusReply extends SendReply {
  readonly report: AudienceReport
}

/** Posts a status. Answers with the outcome at the network, or that the post is pending. A repeated call does not look for people again. */
export const sendStatus = operation('sendStatus', {
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
    return { ...reply, report: (await reportOf(context, reply)) ?? post.report }
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
async function reportOf({ id, reader }: InstanceContext, { record }: SendReply): Promise<AudienceReport | null> {
  const { messageid } = record as { readonly messageid?: Parameters<typeof reader.statusReport>[1] }
  if (messageid === undefined) throw new GatewayError('OUTCOME_UNKNOWN')
  return (await reader.statusReport(id, messageid))?.report ?? null
}
