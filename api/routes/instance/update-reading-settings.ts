import type { ReadingSettingsReply, UpdateReadingSettingsRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'

export const showReadingSettings = instanceRoute({
  method: 'GET',
  path: '/instance/readingsettings',
  name: 'showReadingSettings',
  area: 'Instance',
  scope: 'token',
  summary: 'Show what the gateway reads by itself, and how much history the next pairing asks for',
  schema: 'instance/reading-settings.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_MOVING'],
  async handle({ instance }, { ports }): Promise<ReadingSettingsReply> {
    return await ports.router.ask(instance.id, { type: 'showReadingSettings' })
  },
})

export const updateReadingSettings = instanceRoute<UpdateReadingSettingsRequest>({
  method: 'POST',
  path: '/instance/readingsettings',
  name: 'updateReadingSettings',
  area: 'Instance',
  scope: 'token',
  audited: true,
  summary: 'Choose what the gateway marks as read by itself, and how much history the next pairing asks for',
  schema: 'instance/update-reading-settings.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_MOVING'],
  async handle({ instance, body }, { ports }): Promise<ReadingSettingsReply> {
    const { readMessages, readStatus, fullHistory } = body
    const set = {
      ...(readMessages === undefined ? {} : { readMessages }),
      ...(readStatus === undefined ? {} : { readStatus }),
      ...(fullHistory === undefined ? {} : { fullHistory }),
    }
    return await ports.router.ask(instance.id, { type: 'setReadingSettings', set })
  },
})
