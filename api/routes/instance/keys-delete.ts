import type { DeleteKeyReply } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'

export const deleteKey = instanceRoute({
  method: 'DELETE',
  path: '/instance/keys/:id',
  name: 'deleteKey',
  area: 'Instance',
  scope: 'token',
  audited: true,
  summary: 'Delete a key, on every node at once',
  schema: 'instance/keys-delete.json',
  errors: ['KEY_NOT_FOUND'],
  async handle({ instance, params }, { ports }): Promise<DeleteKeyReply> {
    await ports.accessKeys.revoke(instance.id, params.id ?? '')
    return { response: 'Key deleted' }
  },
})
