import type { ShowLimitsReply } from '../../../schemas/generated.js'
import { pacingFields } from '../../answers/pacing.js'
import { instanceRoute } from '../../route.js'

export const showLimits = instanceRoute({
  method: 'GET',
  path: '/instance/wa_messages_limits',
  name: 'showLimits',
  area: 'Instance',
  scope: 'read',
  summary: "Show WhatsApp's restrictions of the account",
  schema: 'instance/limits.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_MOVING'],
  async handle({ instance }, { ports }): Promise<ShowLimitsReply> {
    const reply = await ports.router.ask(instance.id, { type: 'showLimits' })
    const { report, isReachable, checkedAtMs, errors, pacing } = reply
    const { new_chat_message_capping: cap, reachout_timelock: lock, ...rest } = report
    return {
      provider: 'whatsapp',
      reachable: isReachable,
      checked_at: checkedAtMs === null ? null : new Date(checkedAtMs).toISOString(),
      ...rest,
      ...pacingFields(pacing),
      new_chat_message_capping: { ...cap, lookup_error: errors.cap ?? null },
      reachout_timelock: { ...lock, lookup_error: errors.reachout ?? null },
    }
  },
})
