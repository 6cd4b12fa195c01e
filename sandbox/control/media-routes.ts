/** `/media…`: what lies on the media host. */
import type { Network } from '../network/network.js'
import { optionalText } from './fields.js'
import type { Route } from './server.js'

export function mediaRoutes({ media }: Network): Route[] {
  return [
    { method: 'GET', path: '/media', handle: () => media.list() },
    {
      method: 'POST',
      path: '/media/expire',
      handle: ({ body }) => ({ expired: media.expire(optionalText(body, 'directPath')) }),
    },
  ]
}
