import type { ConnectionHistoryQuery, ConnectionHistoryReply } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'

const LIMIT_DEFAULT = 50

export const listConnectionHistory = instanceRoute<undefined, ConnectionHistoryQuery>({
  method: 'GET',
  path: '/instance/connections',
  name: 'listConnectionHistory',
  area: 'Instance',
  scope: 'read',
  summary: "List the changes of an instance's connection, newest first",
  schema: 'instance/connections.json',
  errors: ['INSTANCE_NOT_FOUND'],
  async handle({ instance, query }, { ports }): Promise<ConnectionHistoryReply> {
    const entries = await ports.instances.connections(instance.id, query.limit ?? LIMIT_DEFAULT)
    const connections = entries.map(({ at, status, state, cause, code, reason, node }) => ({
      at: at.toISOString(),
      status,
      state,
      cause: cause === '' ? null : cause,
      code: code === 0 ? null : code,
      reason: reason === '' ? null : reason,
      node,
    }))
    return { connections }
  },
})
