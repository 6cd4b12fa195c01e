import type { Route } from '../../route.js'
import { listAudit } from './audit.js'
import { changeInstances } from './bulk.js'
import { cancelJob } from './bulk-cancel.js'
import { showJob } from './bulk-jobs.js'
import { cancelExport } from './cancel-export.js'
import { drainNode } from './drain.js'
import { exportInstance } from './export-instance.js'
import { showFigures } from './figures.js'
import { importInstance } from './import-instance.js'
import { importSession } from './import-session.js'
import { rotateInstanceToken } from './instance-token-rotate.js'
import { listNodes } from './nodes.js'
import { tellPlacement } from './placement.js'
import { recordStanzas } from './record-stanzas.js'
import { restartConnections } from './restart.js'
import { listShards } from './shards.js'
import { showRecording } from './show-recording.js'
import { rotateAdminToken } from './token-rotate.js'
import { showTraffic } from './traffic.js'

/** Routes of the area, in the order of the documentation. */
export const adminRoutes: readonly Route[] = [
  exportInstance,
  importInstance,
  importSession,
  cancelExport,
  rotateAdminToken,
  listAudit,
  rotateInstanceToken,
  changeInstances,
  showJob,
  cancelJob,
  restartConnections,
  showFigures,
  showTraffic,
  listNodes,
  listShards,
  drainNode,
  tellPlacement,
  recordStanzas,
  showRecording,
]
