import type { Route } from '../../route.js'
import { showDocumentation, showDocumentationFile } from './docs.js'
import { tellHealth } from './health.js'
import { tellMetrics } from './metrics.js'
import { tellOpenApi } from './openapi.js'
import { tellReadiness } from './ready.js'

/** Routes of the area, in the order of the documentation. */
export const serviceRoutes: readonly Route[] = [
  tellHealth,
  tellReadiness,
  tellMetrics,
  tellOpenApi,
  showDocumentation,
  showDocumentationFile,
]
