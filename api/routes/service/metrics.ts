import { createHash, timingSafeEqual } from 'node:crypto'
import { GatewayError } from '../../../schemas/errors.js'
import { Answer, openRoute } from '../../route.js'

export const tellMetrics = openRoute({
  method: 'GET',
  path: '/metrics',
  name: 'tellMetrics',
  area: 'Service',
  summary: 'Metrics for Prometheus; if METRICS_TOKEN is set, callers must send it as a bearer token',
  produces: 'text/plain',
  errors: ['INVALID_TOKEN'],
  async handle({ headers }, { ports, options }): Promise<Answer> {
    const { metricsToken } = options
    if (metricsToken !== undefined && !isSame(headers.authorization ?? '', `Bearer ${metricsToken}`)) {
      throw new GatewayError('INVALID_TOKEN')
    }
    const { contentType, body } = await ports.health.metrics()
    return new Answer({ type: contentType, body })
  },
})

/** Compares in constant time, whatever the lengths. */
function isSame(given: string, expected: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(expected))
}
