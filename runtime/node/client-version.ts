import { builtInVersion } from '../../actors/network/baileys/built-in-version.js'
import { type ClientVersionKeeper, createClientVersionKeeper } from '../client-version/client-version-keeper.js'
import { refuseRevision } from '../client-version/known-versions.js'
import { BROWSER_AGENT, createVersionSource } from '../client-version/version-source.js'
import { createClientVersionMetrics } from '../metrics/client-version-metrics.js'
import { createOutgoing } from '../outgoing/client.js'
import type { ClusterJobs } from '../queues/cluster-jobs.js'
import type { Processor } from '../queues/processor.js'
import { CLIENT_VERSION, clientVersionJob } from '../queues/processors/client-version.js'
import { createClientVersionTable } from '../store/client-versions.js'
import type { NodeContext } from './context.js'
import { otherNetworkUrl } from './network.js'
import type { Stores } from './stores.js'

/** The version that logins report, and the job that asks the network's source for a newer one. */
export interface NodeClientVersion {
  readonly keeper: ClientVersionKeeper
  /** Undefined when WA_VERSION pins the version. */
  readonly job: Processor | undefined
}

/** Minimum time between two questions to the source, however many logins are refused. */
const ASK_GAP_MS = 5 * 60_000

export async function startClientVersion(node: NodeContext, { database }: Stores): Promise<NodeClientVersion> {
  const { config, life, events, logger, registry } = node
  const log = logger.child({ part: 'client version' })
  const table = createClientVersionTable(database.pool)
  const pinned = config.network.version
  const keeper = await life.start(
    'client version',
    () => createClientVersionKeeper({ builtIn: builtInVersion, pinned, rows: table, logger: log }),
    (opened) => opened.close(),
  )
  keeper.onChanged(() => events.emit('clientVersionChanged'))
  createClientVersionMetrics(registry, keeper)
  if (pinned !== undefined) return { keeper, job: undefined }
  await keeper.refresh()
  const job = clientVersionJob({
    read: () => readSource(node),
    table,
    usable: () => keeper.usable,
    explainRefusal: refuseRevision,
    onRead: () => keeper.refresh(),
  })
  return { keeper, job }
}

/** Makes the source be asked soon when a login was refused. */
export function askAfterRefusals(keeper: ClientVersionKeeper, jobs: ClusterJobs): void {
  // A login that is refused later asks again.
  keeper.onRefused(() => void jobs.request(CLIENT_VERSION, ASK_GAP_MS).catch(() => {}))
}

/** Asks once a day at most, so nothing is kept open for it. */
async function readSource({ config: { network } }: NodeContext): Promise<number> {
  const outgoing = createOutgoing({
    // The operator chose the network, as that of the websocket.
    allowPrivateAddresses: otherNetworkUrl(network) !== undefined,
    userAgent: BROWSER_AGENT,
  })
  try {
    return await createVersionSource(network.websocketUrl, outgoing).read()
  } finally {
    await outgoing.close()
  }
}
