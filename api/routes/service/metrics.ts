import { Answer, openRoute } from '../../route.js'

export const tellMetrics = openRoute({
  method: 'GET',
  path: '/metrics',
  name: 'tellMetrics',
  area: 'Service',
  summary: 'Figures for Prometheus',
  produces: 'text/plain',
  errors: [],
  async handle(_call, { ports }): Promise<Answer> {
    const { contentType, body } = await ports.health.metrics()
    return new Answer({ type: contentType, body })
  },
})
