import { GatewayError } from '../../../schemas/errors.js'
import type { CampaignCourseQuery, CampaignCourseReply } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { plannedOf } from './copy.js'
import { estimateOf } from './today.js'

export const showCampaignCourse = instanceRoute<undefined, CampaignCourseQuery>({
  method: 'GET',
  path: '/sender/course',
  name: 'showCampaignCourse',
  area: 'Campaign',
  scope: 'read',
  isSearch: true,
  summary: 'Show what became of the recipients of a campaign over time, and when it ends',
  schema: 'sender/course.json',
  errors: ['CAMPAIGN_NOT_FOUND'],
  async handle({ instance, query: { id } }, context): Promise<CampaignCourseReply> {
    const { campaigns } = context.ports
    const campaign = await campaigns.find(instance.id, id)
    if (campaign === null) throw new GatewayError('CAMPAIGN_NOT_FOUND')
    const { stepMinutes, rows, reasons } = await campaigns.course(instance.id, campaign)
    const { status, total, deleted, sent, failed, skipped, taken } = campaign
    const isRunning = status === 'sending' || status === 'scheduled'
    const planned = { ...plannedOf(campaign), count: Math.max(0, total - deleted - sent - failed - skipped - taken) }
    const estimate = isRunning ? await estimateOf(instance.id, planned, id, context) : null
    const endsMs = estimate?.endsMs ?? null
    return {
      stepMinutes,
      rows: rows.map((row) => ({ ...row, at: row.at.toISOString() })),
      reasons: reasons.map((one) => ({ ...one })),
      ends: endsMs === null ? null : new Date(endsMs).toISOString(),
    }
  },
})
