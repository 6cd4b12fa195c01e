import { progressRecord } from '../../../schemas/connection-progress.js'
import type { StatusReply } from '../../../schemas/generated.js'
import type { LiveStatus } from '../../../schemas/session.js'
import { instanceRecord, recordFor } from '../../answers/instance-record.js'
import { instanceRoute } from '../../route.js'

function traffic(health: NonNullable<LiveStatus['health']>): NonNullable<StatusReply['status']['traffic']> {
  const at = (timeMs: number | null): string | null => (timeMs === null ? null : new Date(timeMs).toISOString())
  return {
    lastReceivedAt: at(health.lastReceivedAtMs) ?? '',
    lastMessageAt: at(health.lastMessageAtMs),
    lastAckAt: at(health.lastAckAtMs),
    unacknowledged: health.unacknowledged,
    held: health.held,
  }
}

export const showStatus = instanceRoute({
  method: 'GET',
  path: '/instance/status',
  name: 'showStatus',
  area: 'Instance',
  scope: 'any',
  pairs: true,
  summary: 'Show the state of the instance, with its QR or pairing code while pairing',
  schema: 'instance/status.json',
  errors: ['INSTANCE_MOVING', 'INSTANCE_NOT_FOUND'],
  async handle({ instance, key }, { ports, options }): Promise<StatusReply> {
    const told = await ports.router.ask(instance.id, { type: 'status' })
    // Everyone with the code can connect a phone of their own to the instance.
    const live = key === null || key.onlyPairs === true ? told : { ...told, qrcodeText: null, paircode: null }
    const { connected, loggedIn, jid, health, state, progress } = live
    const shown = progressRecord(state, progress)
    return {
      instance: recordFor(key, await instanceRecord(instance, options, live)),
      status: { connected, loggedIn, jid, ...shown, traffic: health === null ? null : traffic(health) },
    }
  },
})
