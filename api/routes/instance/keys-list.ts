import type { KeysReply } from '../../../schemas/generated.js'
import { keyRecord } from '../../answers/key-record.js'
import { instanceRoute } from '../../route.js'

export const listKeys = instanceRoute({
  method: 'GET',
  path: '/instance/keys',
  name: 'listKeys',
  area: 'Instance',
  scope: 'token',
  summary: 'List the keys of the instance, without their secrets',
  schema: 'instance/keys-list.json',
  errors: [],
  async handle({ instance }, { ports }): Promise<KeysReply> {
    return { keys: (await ports.accessKeys.list(instance.id)).map(keyRecord) }
  },
})
