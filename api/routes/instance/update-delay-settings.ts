import type { UpdateDelaySettingsReply, UpdateDelaySettingsRequest } from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { instanceRecord } from '../../answers/instance-record.js'
import { instanceRoute } from '../../route.js'

export const updateDelaySettings = instanceRoute<UpdateDelaySettingsRequest>({
  method: 'POST',
  path: '/instance/updateDelaySettings',
  name: 'updateDelaySettings',
  area: 'Instance',
  scope: 'token',
  audited: true,
  summary: 'Choose the pause between two asynchronous sends',
  schema: 'instance/update-delay-settings.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_MOVING', 'STORE_UNAVAILABLE', 'INVALID_REQUEST'],
  async handle({ instance, body }, { ports, options }): Promise<UpdateDelaySettingsReply> {
    const delayMinMs = Math.max(0, Math.round(body.msg_delay_min * 1_000))
    const delayMaxMs = Math.max(delayMinMs, Math.round(body.msg_delay_max * 1_000))
    const since = body.number_in_use_since
    const inUseSinceMs = since === undefined || since === null ? since : parseInUseSince(since)
    await ports.router.ask(instance.id, {
      type: 'updateDelays',
      delayMinMs,
      delayMaxMs,
      ...(inUseSinceMs === undefined ? {} : { inUseSinceMs }),
    })
    const row = (await ports.instances.byId(instance.id)) ?? instance
    return { instance: await instanceRecord({ ...row, delayMinMs, delayMaxMs }, options) }
  },
})

/** Reads the time since which a number is in use. @throws GatewayError INVALID_REQUEST */
export function parseInUseSince(since: string): number {
  const atMs = Date.parse(since)
  if (Number.isNaN(atMs) || atMs > Date.now()) throw invalidField('number_in_use_since', 'must be a time in the past')
  return atMs
}
