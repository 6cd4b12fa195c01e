import { GatewayError } from '../../../schemas/errors.js'
import type { UpdateDelaySettingsReply, UpdateDelaySettingsRequest } from '../../../schemas/generated.js'
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
    const inUseSinceMs = since === undefined || since === null ? since : Date.parse(since)
    if (typeof inUseSinceMs === 'number' && (Number.isNaN(inUseSinceMs) || inUseSinceMs > Date.now()))
      throw new GatewayError('INVALID_REQUEST', { message: 'number_in_use_since: must be a time in the past.' })
    await ports.router.ask(instance.id, {
      type: 'updateDelays',
      delayMinMs,
      delayMaxMs,
      ...(inUseSinceMs === undefined ? {} : { inUseSinceMs }),
    })
    return { instance: await instanceRecord({ ...instance, delayMinMs, delayMaxMs }, options) }
  },
})
