/** Writes what is made from other files: `schemas/generated.ts`, `dashboard/src/api/generated.ts`, `dashboard/src/api/limits.ts`, `clients/typescript/src/generated.ts`, `clients/n8n/nodes/Posthorn/generated.ts`, the collections in `clients/`, `docs/reference/errors.md`, `docs/reference/evolution-api.md`, `docs/reference/configuration.md`, `docs/reference/guarantees.md`, `docs/reference/licences.md`, `docs/reference/message-kinds.md`, `docs/reference/metrics.md`, `docs/reference/specification-coverage.md`, and those of `deployment-files.ts`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../lib/package-root.js'
import { clientFiles } from './client-source.js'
import { configurationPage } from './configuration-page.js'
import { dashboardClient } from './dashboard-client.js'
import { dashboardLimits } from './dashboard-limits.js'
import { deploymentFiles } from './deployment-files.js'
import { evolutionPage } from './dialects-page.js'
import { errorsPage } from './errors-page.js'
import { generatedTypes } from './generated-types.js'
import { guaranteesPage } from './guarantees-page.js'
import { licencesPage } from './licences-page.js'
import { messageKindsPage } from './message-kinds-page.js'
import { metricsPage } from './metrics-page.js'
import { specificationPage } from './specification-page.js'

/** Each generated file, by its path in the repository, with the text that it should have; without those of `clients/`, which their own test compares. */
export async function generatedFiles(): Promise<Readonly<Record<string, string>>> {
  return {
    'schemas/generated.ts': await generatedTypes(),
    'dashboard/src/api/generated.ts': dashboardClient(),
    'dashboard/src/api/limits.ts': dashboardLimits(),
    'docs/reference/errors.md': errorsPage(),
    'docs/reference/evolution-api.md': evolutionPage(),
    'docs/reference/configuration.md': configurationPage(),
    'docs/reference/guarantees.md': guaranteesPage(),
    'docs/reference/licences.md': licencesPage(),
    'docs/reference/message-kinds.md': messageKindsPage(),
    'docs/reference/metrics.md': metricsPage(),
    'docs/reference/specification-coverage.md': specificationPage(),
    ...deploymentFiles(),
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = { ...(await generatedFiles()), ...(await clientFiles()) }
  for (const [file, text] of Object.entries(files)) {
    const target = path.join(packageRoot, file)
    mkdirSync(path.dirname(target), { recursive: true })
    writeFileSync(target, text)
  }
}
