import type { InstanceHealthReply } from '../../../schemas/generated.js'
import { pacingFields } from '../../answers/pacing.js'
import { instanceRoute } from '../../route.js'

export const showHealth = instanceRoute({
  method: 'GET',
  path: '/instance/health',
  name: 'showHealth',
  area: 'Instance',
  scope: 'read',
  summary: 'Show the health of an instance',
  schema: 'instance/health.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_MOVING'],
  async handle({ instance }, { ports }): Promise<InstanceHealthReply> {
    const { live, seen, queue, limits, pacing, node } = await ports.router.ask(instance.id, { type: 'health' })
    const at = (timeMs: number | null): string | null => (timeMs === null ? null : new Date(timeMs).toISOString())
    const { pending, status, processingNow } = queue
    const { can_send_new_messages, error_key, reachout_timelock, new_chat_message_capping } = limits
    return {
      status: live.status,
      state: live.state,
      desiredState: instance.desiredConnected ? 'connected' : 'disconnected',
      cause: seen.cause,
      reason: live.reason,
      since: new Date(seen.sinceMs).toISOString(),
      lastReceivedAt: at(live.health?.lastReceivedAtMs ?? null),
      lastInboundAt: at(seen.lastInboundAtMs),
      lastAckAt: at(seen.lastAckAtMs),
      lastDecryptErrorAt: at(seen.lastDecryptErrorAtMs),
      unacknowledged: live.health?.unacknowledged ?? 0,
      held: live.health?.held ?? 0,
      queue: { status, pending, processingNow },
      limits: { can_send_new_messages, error_key, reachout_timelock, new_chat_message_capping },
      ...pacingFields(pacing),
      node,
    }
  },
})
