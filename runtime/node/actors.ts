import path from 'node:path'
import { toDataURL } from 'qrcode'
import { type HostOptions, ShardHost } from '../../actors/host.js'
import { LoginRate, type LoginStrain } from '../../actors/login-rate.js'
import { createBaileysNetwork } from '../../actors/network/baileys/network.js'
import type { ClientVersions } from '../../actors/network/port/client-version.js'
import type { Routes } from '../../actors/network/route/routes.js'
import type { TokenRate } from '../../actors/token-bucket.js'
import { withTimeLimit } from '../../lib/time-limit.js'
import { createTurnFiles } from '../agents/turn-files.js'
import { createLoginMetrics } from '../cluster/cluster-metrics.js'
import type { Config } from '../config.js'
import { createFilesToSend } from '../media/files-to-send.js'
import { createInstanceMetrics, type InstanceMetrics } from '../metrics/instance-metrics.js'
import { createJournalMetrics } from '../metrics/journal-metrics.js'
import { countTraffic } from '../metrics/traffic.js'
import { createMessageTexts } from '../store/agents/message-texts.js'
import { createJournal, type Journal } from '../store/journal.js'
import { createReader } from '../store/reader.js'
import { createAgentServers } from './agents.js'
import type { Channels } from './channels.js'
import type { NodeContext } from './context.js'
import type { Directories } from './directories.js'
import type { NodeKnowledge } from './knowledge.js'
import { createNetworkRoutes, otherNetworkUrl } from './network.js'
import type { Actors, ClusterMembership } from './ports.js'
import type { Stores } from './stores.js'

/** Maximum of decoded Signal keys in memory, of all instances together: about 3 KiB each. */
const KEYS_CACHED_MAX = 50_000
/** Minimum time that a connection lasts, in milliseconds, so that its loss is soon followed by another attempt. */
const STABLE_MS = 30_000
/** Time for each step of a pairing with a passkey after the signature: the network's answer, the comparison of codes, the linking. */
const PASSKEY_STEP_MS = 180_000

/** Starts the journal and creates the host. The host owns no shard before the node joins the cluster. */
export async function startActors(
  node: NodeContext,
  stores: Stores,
  versions: ClientVersions,
  membership: ClusterMembership,
  { instances }: Directories,
  { outgoing, models, functions }: Channels,
  { search, extractor }: Pick<NodeKnowledge, 'search' | 'extractor'>,
): Promise<Actors> {
  const { config, registry, events, logger } = node
  const loginRate = chooseLoginRate(config.instances, membership, (strain) => noteLowered(strain))
  const onCommit = (ms: number): void => {
    if (loginRate instanceof LoginRate) loginRate.committed(ms)
  }
  const journal = await startJournal(node, stores, membership, onCommit)
  const filesToSend = createFilesToSend({ storage: stores.storage, files: stores.files })
  const reader = createReader(stores.database.lanes.actors, stores.encryption)
  const turnFiles = createTurnFiles({
    findRecord: async (instance, message) => (await reader.messageByRecordId(instance, message))?.record ?? null,
    texts: createMessageTexts(stores.database.lanes.actors),
    extractor,
    work: node.work,
    logger: logger.child({ part: 'files of agents' }),
  })
  const agentServers = createAgentServers(
    node,
    stores,
    { instances },
    { models, functions, knowledge: search, files: turnFiles },
  )
  const routes = createNetworkRoutes(config, node.mediaHosts, outgoing)
  const metrics = createInstanceMetrics(registry, {
    counts: () => host.counts(),
    restrictions: () => host.restrictions(),
    holds: () => host.holds(),
    parked: () => host.parked(),
    braked: () => host.braked(),
  })
  const host = new ShardHost({
    findShard: stores.findShard,
    network: createNetwork(node, stores, { versions, membership, metrics, routes }),
    reader,
    files: filesToSend,
    logger: logger.child({ part: 'instances' }),
    openJournal: (instance, epoch) => journal.forInstance(instance, epoch),
    wanted: (shards) => instances.instancesToConnect(shards),
    admit: (instance) => instances.admit(instance),
    queued: (instance) => events.emit('sendQueued', instance),
    dueIn: (instance, inMs) => events.emit('dueSoon', instance, inMs),
    loginRate,
    campaignShareMax: config.sends.campaignShareMax,
    fairShare: node.mainThread.fairShare,
    drawQr: (text) => toDataURL(text, { margin: 2, errorCorrectionLevel: 'L' }),
    random: Math.random,
    messageIds: stores.messageIds,
    count(metric) {
      metrics.count(metric)
      countTraffic(node.traffic, metric)
    },
    nodeId: node.nodeId,
    agentServers,
    timing: makeTiming(config),
  })
  host.onChange((nowReady) => {
    if (nowReady.length > 0) events.emit('shardsReady', nowReady)
  })
  events.on('clientVersionChanged', () => host.versionChanged())
  const noteLowered = createLoginMetrics(registry, () => ({ ...host.logins(), perSecond: loginRate.perSecond }))
  return { routes, journal, host, reader, filesToSend, turnFiles }
}

/** Returns the rate of logins that is configured, or else one that adapts. */
function chooseLoginRate(
  { loginRatePerSecond: perSecond, loginRateClusterMax: clusterMax }: NodeContext['config']['instances'],
  membership: Pick<ClusterMembership, 'joined'>,
  onLowered: (strain: LoginStrain) => void,
): TokenRate | LoginRate {
  if (perSecond !== null) return { perSecond, burst: perSecond }
  const nodes = () => (membership.joined?.node.nodes() ?? []).filter(({ isDead }) => !isDead).length
  return new LoginRate({ clusterMax, nodes, onLowered })
}

async function startJournal(
  { life, events, registry, readings, incarnation }: NodeContext,
  stores: Stores,
  { store, lookAtTable }: Pick<ClusterMembership, 'store' | 'lookAtTable'>,
  onCommit: (durationMs: number) => void,
): Promise<Journal> {
  const metrics = createJournalMetrics(registry, () => journal.waitingBytes)
  const journal: Journal = await life.start(
    'journal',
    () =>
      createJournal({
        clientConfig: stores.database.clientConfig,
        encryption: stores.encryption,
        findShard: stores.findShard,
        log: stores.log,
        owner: incarnation,
        serverCheck: {
          isCurrent: ({ cluster }) =>
            store.mayAct && (cluster === null || store.server === null || cluster === store.server),
          async look() {
            // Before the first commit there is nothing to miss.
            if (journal.lastCommit === null) return true
            const judged = store.judged().then(() => true)
            lookAtTable()
            // A node that has left the cluster reads no table.
            return await withTimeLimit(judged, STORE_LOOK_MS, () => life.isStopping)
          },
        },
        onCommitted: (committed) => events.emit('committed', committed),
        onBatch(batch) {
          metrics.batch(batch)
          readings.committed(batch.durationMs)
          onCommit(batch.durationMs)
        },
      }),
    (writer) => writer.close(),
  )
  readings.followJournal(() => journal.waitingBytes)
  store.followCommits(() => journal.lastCommit)
  return journal
}

/** A look takes milliseconds, unless PostgreSQL is not there yet. */
const STORE_LOOK_MS = 5_000

interface NetworkParts {
  readonly versions: ClientVersions
  readonly membership: ClusterMembership
  readonly metrics: InstanceMetrics
  readonly routes: Routes
}

function createNetwork(
  { config, logger, nodeId, mediaHosts }: NodeContext,
  { tempDir, blockedWork }: Stores,
  { versions, membership, metrics, routes }: NetworkParts,
): HostOptions['network'] {
  const { network, instances, data } = config
  return createBaileysNetwork({
    logger: logger.child({ part: 'network' }),
    websocketUrl: otherNetworkUrl(network),
    versions,
    nodeId,
    guard: membership.guard,
    onFrameHeld: metrics.frameHeld,
    onUnknownStanza: metrics.unknownStanza,
    queries: { ids: network.queryIds, onRefused: metrics.queryRefused },
    qrCodeMs: instances.qrCodeMs,
    pairingCodeWindowMs: instances.pairingCodeWindowMs,
    phoneRequests: {
      phoneRequestRetryMs: network.phoneRequestRetryMs,
      phoneAnswerWaitMs: network.phoneAnswerWaitMs,
    },
    blocked: blockedWork,
    passkeyPairing: network.passkeyPairing,
    secretEdits: network.secretEdits,
    keysCachedMax: KEYS_CACHED_MAX,
    silenceMaxMs: network.silenceMaxMs,
    storeBackAtMs: () => membership.store.wentBack?.noticedAt.getTime() ?? 0,
    answerMaxMs: network.answerMaxMs,
    mediaHosts,
    routes,
    tempDir,
    recordingsDir: path.join(data.dir, 'recordings'),
    recordingsMax: network.recordingsMax,
  })
}

function makeTiming({ instances, sends, cluster }: Config): HostOptions['timing'] {
  return {
    qrWindowMs: instances.qrWindowMs,
    pairingCodeWindowMs: instances.pairingCodeWindowMs,
    reconnectMinMs: instances.reconnectDelayMinMs,
    reconnectMaxMs: instances.reconnectDelayMaxMs,
    replacedDelayMs: instances.reconnectDelayMaxMs,
    stableMs: STABLE_MS,
    passkeyStepMs: PASSKEY_STEP_MS,
    presenceRefreshMs: instances.presenceRefreshMs,
    presenceMaxMs: instances.presenceMaxMs,
    limitsCheckMs: instances.limitsCheckMs,
    ackTimeoutMs: sends.ackTimeoutMs,
    parkTimeoutMs: cluster.parkTimeoutMs,
    sendMaxAgeMs: sends.maxAgeMs,
    pacingMinMs: sends.delayMinMs,
    pacingMaxMs: sends.delayMaxMs,
    scheduledPacingMinMs: sends.scheduledDelayMinMs,
    reactsToOwn: sends.reactsToOwn,
    scheduledPacingMaxMs: sends.scheduledDelayMaxMs,
    queueMax: sends.queueMax,
    pacing: sends.pacing,
    scheduleMax: sends.scheduleMax,
    numberChecks: sends.numberChecks,
  }
}
