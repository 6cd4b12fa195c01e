import type { ReadyReply } from '../../../schemas/generated.js'
import { Answer, openRoute } from '../../route.js'

export const tellReadiness = openRoute({
  method: 'GET',
  path: '/ready',
  name: 'tellReadiness',
  area: 'Service',
  summary: 'Check whether this node can serve calls; 503 with the reasons if not',
  schema: 'service/ready.json',
  errors: ['STORE_UNAVAILABLE'],
  async handle(_call, { ports }): Promise<Answer> {
    const { ready, reasons } = await ports.health.ready()
    const reply: ReadyReply = { ready, reasons: [...reasons] }
    return new Answer({
      status: ready ? 200 : 503,
      type: 'application/json; charset=utf-8',
      body: JSON.stringify(reply),
    })
  },
})
