/** `/acknowledgements…`: how strictly the network takes those of its clients, and what was wrong with them; and receipts that are to leave. */
import type { Network } from '../network/network.js'
import { optionalFlag, optionalNumber } from './fields.js'
import type { Route } from './server.js'

export function acknowledgementRoutes({ acknowledgements, lateReceipts }: Network): Route[] {
  return [
    { method: 'GET', path: '/receipts/waiting', handle: () => ({ count: lateReceipts.waiting }) },
    {
      method: 'POST',
      path: '/acknowledgements',
      handle({ body }) {
        acknowledgements.strict = optionalFlag(body, 'strict') ?? true
        acknowledgements.deadlineMs = optionalNumber(body, 'deadlineMs')
      },
    },
    {
      method: 'GET',
      path: '/acknowledgements/problems',
      handle({ query }) {
        const phone = query.get('phone')
        return acknowledgements.problems.filter(({ device }) => phone === null || device.startsWith(`${phone}:`))
      },
    },
  ]
}
