import { GatewayError } from '../../../schemas/errors.js'
import type { AudienceReport, StatusView } from '../../../schemas/status-post.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

interface StatusViewsRequest {
  /** `owner:messageid`, the bare id, or the id of the record. */
  readonly id: string
  readonly limit: number
  readonly offset: number
}

export interface StatusViewsReply {
  readonly messageid: string
  readonly reached: number
  readonly report: AudienceReport
  readonly delivered: number
  readonly seen: number
  readonly views: readonly StatusView[]
}

/** Answers with the people who have received and seen a status post of this account. */
export const statusViews = operation('statusViews', {
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
