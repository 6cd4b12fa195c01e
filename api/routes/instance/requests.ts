import type { RequestsQueryParameters, RequestsReply } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'

const LIMIT_DEFAULT = 100

export const listRequests = instanceRoute<undefined, RequestsQueryParameters>({
  method: 'GET',
  path: '/instance/requests',
  name: 'listRequests',
  area: 'Instance',
  scope: 'read',
  isSearch: true,
  summary: "List the instance's calls of the API in the last day, newest first",
  schema: 'instance/requests.json',
  errors: [],
  async handle({ instance, query }, { ports }): Promise<RequestsReply> {
    const { limit = LIMIT_DEFAULT, before, operation, key, failed, dashboard = false } = query
    const { requests, hasMore, leftOut } = await ports.requests.find(instance.id, {
      limit,
      withDashboard: dashboard,
      ...(before === undefined ? {} : { before }),
      ...(operation === undefined ? {} : { operation }),
      ...(key === undefined ? {} : { key }),
      ...(failed === undefined ? {} : { isFailed: failed }),
    })
    return {
      requests: requests.map(({ at, hasPass, durationMs, key: id, code, ...request }) => ({
        ...request,
        at: at.toISOString(),
        key: id === '' ? null : id,
        dashboard: hasPass,
        code: code === '' ? null : code,
        ms: durationMs,
      })),
      hasMore,
      next: hasMore ? (requests.at(-1)?.position ?? null) : null,
      leftOut,
    }
  },
})
