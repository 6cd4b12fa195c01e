import type { HealthReply } from '../../../schemas/generated.js'
import { packageVersion } from '../../../schemas/package-root.js'
import { openRoute } from '../../route.js'

export const tellHealth = openRoute({
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
