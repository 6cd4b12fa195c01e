/** `/log/…`: what the network saw. */
import type { Network } from '../network/network.js'
import type { Route } from './server.js'

export function logRoutes({ log, statusStanzas }: Network): Route[] {
  return [
    {
      method: 'GET',
      path: '/log/logins',
      handle({ query }) {
        const phone = query.get('phone')
        const device = query.get('device')
        return log.logins.filter(
          (login) => (phone === null || login.phoneNumber === phone) && (device === null || login.device === device),
        )
      },
    },
    {
      method: 'GET',
      path: '/log/frames',
      handle({ query }) {
        const number = (name: string) => (query.has(name) ? Number(query.get(name)) : undefined)
        return log.frames({
          device: query.get('device') ?? undefined,
          tag: query.get('tag') ?? undefined,
          id: query.get('id') ?? undefined,
          type: query.get('type') ?? undefined,
          direction: query.get('direction') ?? undefined,
          after: number('after'),
          limit: number('limit'),
        })
      },
    },
    { method: 'GET', path: '/log/messages/:id', handle: ({ parameters }) => log.stanzas(parameters.id ?? '') },
    { method: 'GET', path: '/log/status', handle: () => statusStanzas },
    { method: 'GET', path: '/log/arrivals', handle: () => log.arrivals },
    { method: 'GET', path: '/log/retries', handle: () => log.retryReceipts() },
    { method: 'GET', path: '/log/notification-acks', handle: () => log.notificationAcks() },
  ]
}
