import { createHash, timingSafeEqual } from 'node:crypto'
import { packageVersion } from '../../../lib/package-root.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { HealthReply, ReadyReply } from '../../../schemas/generated.js'
import { Answer, openRoute, type Route } from '../../route.js'
import { showDocumentation, showDocumentationFile } from './docs.js'

const tellMetrics = openRoute({
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

const tellReadiness = openRoute({
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

const tellHealth = openRoute({
  method: 'GET',
  path: '/health',
  name: 'tellHealth',
  area: 'Service',
  summary: 'Check that the process is alive',
  schema: 'service/health.json',
  errors: [],
  async handle(): Promise<HealthReply> {
    return { status: 'ok', version: packageVersion, uptimeSeconds: Math.floor(process.uptime()) }
  },
})

const tellOpenApi = openRoute({
  method: 'GET',
  path: '/openapi.json',
  name: 'tellOpenApi',
  area: 'Service',
  summary: 'This interface as an OpenAPI 3.1 document',
  produces: 'application/json',
  errors: [],
  handle: ({ headers }, { openApi }): Promise<Answer> => openApi(headers),
})

/** Routes of the area, in the order of the documentation. */
export const serviceRoutes: readonly Route[] = [
  tellHealth,
  tellReadiness,
  tellMetrics,
  tellOpenApi,
  showDocumentation,
  showDocumentationFile,
]
