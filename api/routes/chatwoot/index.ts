import { openRoute, type Route } from '../../route.js'
import { setChatwoot } from './set.js'
import { showChatwoot } from './show.js'

const receiveChatwoot = openRoute<Buffer>({
  method: 'POST',
  path: '/chatwoot/webhook/:instance/:secret',
  name: 'receiveChatwoot',
  area: 'Chatwoot',
  summary: 'Take a webhook of Chatwoot; the path holds a secret, and no token is needed',
  takesBytes: true,
  hidden: true,
  errors: [
    ...(['CHATWOOT_WEBHOOK_REFUSED', 'CHATWOOT_OFF', 'MALFORMED_JSON', 'BODY_TOO_LARGE'] as const),
    ...(['QUEUE_FULL', 'STORE_UNAVAILABLE'] as const),
  ],
  async admit({ instance = '', secret = '' }, headers, { ports }) {
    await ports.chatwoot.admit(instance, secret, headers)
    return instance
  },
  async handle({ params, headers, body }, { ports }) {
    const { instance = '', secret = '' } = params
    await ports.chatwoot.receive(instance, secret, headers, body)
    return {}
  },
})

/** Routes of the area, in the order of the documentation. */
export const chatwootRoutes: readonly Route[] = [showChatwoot, setChatwoot, receiveChatwoot]
