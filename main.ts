/** The only file that knows every room: starts the parts of a node in order, and stops them in reverse. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { WA_CERT_DETAILS } from '@whiskeysockets/baileys'
import { toDataURL } from 'qrcode'
import { createHost, type Host } from './actors/host.js'
import type { FilesToSend, InstanceMetric, InstanceReader } from './actors/instance/ports.js'
import { silenceConsole } from './actors/network/baileys/library-logger.js'
import { createNetworkMedia } from './actors/network/baileys/media/download.js'
import { createMediaHosts, guardLibraryFetch, type MediaHosts } from './actors/network/baileys/media/hosts.js'
import { createBaileysNetwork } from './actors/network/baileys/network.js'
import { repeatRules } from './actors/operations/index.js'
import { createApi } from './api/app.js'
import { checkAddress } from './api/listen-errors.js'
import { isStoreTrouble } from './api/middleware/store-trouble.js'
import { createCallMetrics } from './runtime/cluster/call-metrics.js'
import { createClusterMetrics } from './runtime/cluster/cluster-metrics.js'
import { createClusterRows } from './runtime/cluster/cluster-rows.js'
import { createClusterView } from './runtime/cluster/cluster-view.js'
import { createHints } from './runtime/cluster/hints.js'
import { createMember, type Joined, type Member } from './runtime/cluster/member.js'
import { type Config, readConfig } from './runtime/config.js'
import { loadSecrets } from './runtime/config-secrets.js'
import { databasePlace } from './runtime/connect/database-place.js'
import { connectRedis } from './runtime/connect/redis.js'
import { redisPlace } from './runtime/connect/redis-place.js'
import { createStreams } from './runtime/delivery/stream.js'
import { createWebhooks } from './runtime/delivery/webhook-directory.js'
import { createWebhookDelivery } from './runtime/delivery/webhooks.js'
import { startEmbedded } from './runtime/embedded/start.js'
import { AFTER_DRAIN_MS, createLifecycle, type Lifecycle, LifecycleStopped } from './runtime/lifecycle.js'
import { createLogger, type Logger, logDestination } from './runtime/logging.js'
import { createMediaDesk } from './runtime/media/desk.js'
import { createDiskStorage } from './runtime/media/disk-storage.js'
import { createFfmpeg, findFfmpeg } from './runtime/media/ffmpeg.js'
import { createFilesToSend } from './runtime/media/files-to-send.js'
import { createIntake } from './runtime/media/intake.js'
import { createLibrary } from './runtime/media/library.js'
import { createFileLinks } from './runtime/media/links.js'
import { noStorage } from './runtime/media/no-storage.js'
import { createS3Storage } from './runtime/media/s3-storage.js'
import type { Storage } from './runtime/media/storage.js'
import { createSweep } from './runtime/media/sweep.js'
import { makeTempFolder } from './runtime/media/temp-folder.js'
import { createMetrics } from './runtime/metrics.js'
import { createOutgoing } from './runtime/outgoing/client.js'
import { createLinkPreviews } from './runtime/outgoing/link-preview.js'
import { createQueueConnections, removeQueuesOf } from './runtime/queues/connections.js'
import { createWakeUps } from './runtime/queues/wake-ups.js'
import { createAccessKeys } from './runtime/store/access-keys.js'
import { createAdminTokens } from './runtime/store/admin-tokens.js'
import { createAgentRecords } from './runtime/store/agent-records.js'
import { holdPlace } from './runtime/store/alone.js'
import { createAuditLog } from './runtime/store/audit-log.js'
import { createChats } from './runtime/store/chats.js'
import { createContacts } from './runtime/store/contacts.js'
import { type Database, openDatabase } from './runtime/store/database.js'
import { deadLetterStore, deliveryStore, sampleEvent, streamStore } from './runtime/store/delivery-views.js'
import { createEncryption } from './runtime/store/encryption.js'
import { createGroups } from './runtime/store/groups.js'
import { createInstances } from './runtime/store/instances.js'
import { createJournal, type Journal } from './runtime/store/journal.js'
import { createKeyRotation, type KeyRotation } from './runtime/store/key-rotation.js'
import { createLabels } from './runtime/store/labels.js'
import { createMediaFiles } from './runtime/store/media-files.js'
import { createMessages } from './runtime/store/messages.js'
import { migrate } from './runtime/store/migrate.js'
import { createOutbox } from './runtime/store/outbox.js'
import { createQuickReplies } from './runtime/store/quick-replies.js'
import { createReader } from './runtime/store/reader.js'
import { createRetention } from './runtime/store/retention.js'
import { shardOf } from './runtime/store/shard.js'
import { createInstanceTransfer } from './runtime/store/transfer/instance-transfer.js'
import { createWebhookRows } from './runtime/store/webhooks.js'
import { GatewayError } from './schemas/errors.js'
import type { InstanceId } from './schemas/ids.js'
import { OperatorError } from './schemas/operator-error.js'
import { packageVersion } from './schemas/package-root.js'

const REAL_NETWORK = 'wss://web.whatsapp.com/ws/chat'
const DAY_MS = 24 * 60 * 60_000
/** Names that wait for each lookup of an instance under way. */
const LOOKUPS_WAITING = 50
const HOUR_MS = 60 * 60_000
/** A process that was killed has its place in the database until PostgreSQL notices. */
const FORMER_PROCESS_MS = 3_000
/** Decoded Signal keys in memory, of all instances together: about 3 KiB each. */
const KEYS_CACHED_MAX = 50_000
/** How long a connection must last before the next loss of it is tried soon again. */
const STABLE_MS = 30_000
/** What a pairing may take beside its window: its turn among the logins, and the way to its node. */
const PAIRING_SLACK_MS = 30_000
/** Queues of instances that run at once: each mostly waits for its pacing. */
const SEND_QUEUES_MAX = 1_000
/** A move does not wait longer for the webhooks that are being sent; slower receivers may get one twice, under its event id. */
const DELIVERIES_SETTLE_MS = 300

async function start(config: Config, mediaHosts: MediaHosts, life: Lifecycle, logger: Logger): Promise<void> {
  const nodeId = config.cluster.nodeId ?? os.hostname()
  // Before anything is started or taken from other nodes.
  await checkAddress({ host: config.http.host, port: config.http.port, hostSetting: 'HOST', portSetting: 'PORT' })
  const embedded = await life.start(
    'embedded servers',
    () =>
      startEmbedded({
        dataDir: config.data.dir,
        database: databasePlace(config.database),
        redis: redisPlace(config.redis),
        logger: logger.child({ part: 'embedded' }),
      }),
    (servers) => servers.stop(),
    { stopTimeoutMs: 20_000 },
  )
  const secrets = loadSecrets(config)
  const encryption = createEncryption(secrets.encryptionKey, secrets.encryptionKeysOld)
  const log = logger.child({ part: 'store' })

  const database = await life.start(
    'database',
    () =>
      openDatabase(
        {
          ...embedded.database,
          poolMax: config.database.poolMax,
          connectTimeoutMs: config.database.connectTimeoutMs,
          statementTimeoutMs: config.database.statementTimeoutMs,
        },
        log,
      ),
    (opened) => opened.close(),
  )
  const installation = await life.start('schema', () => migrate(database.pool, encryption))

  if (config.database.url !== undefined)
    await life.start(
      'place beside other nodes',
      () =>
        holdPlace({
          clientConfig: database.clientConfig,
          kind: config.media.storage === 'disk' ? 'one' : 'several',
          nodeId,
          waitMs: FORMER_PROCESS_MS,
          log,
        }),
      (place) => place.close(),
    )

  const connections = connectRedis(embedded.redis)
  const redis = await life.start(
    'Redis',
    () => connections.toAllSlots(logger),
    (client) => client.disconnect(),
  )
  // Without files nothing is written: such a node needs no disk.
  const tempDir = config.media.storage === 'none' ? os.tmpdir() : await makeTempFolder(config.data.dir, nodeId)
  const storage = await life.start(
    'storage of files',
    () => createStorage(config),
    (opened) => opened.close(),
  )
  const files = createMediaFiles(database.pool)
  const incarnation = randomUUID()
  const member = await life.start(
    'proof of life',
    () =>
      createMember({
        incarnation,
        nodeId,
        version: `${packageVersion}+${config.cluster.nodeRevision}`,
        timing: config.cluster.timing,
        address: config.cluster.nodeAddress,
        // On a laptop nobody needs to find it.
        port: config.database.url === undefined ? 0 : config.cluster.peerPort,
        secret: secrets.clusterSecret,
        redis: embedded.redis,
        replicas: config.redis.replicas,
        database,
        // The lock of the data folder: no other process runs on this database under this name.
        isNameOurs: config.database.url === undefined,
        logger,
      }),
    (one) => one.close(),
  )
  let joined: Joined | undefined
  const hints = await life.start(
    'hints',
    () =>
      createHints({
        redis,
        connections,
        incarnation,
        isAlone: () => joined?.isAlone() ?? false,
        observe: (what) => clusterMetrics.hint(what),
        logger,
      }),
    (heard) => heard.close(),
  )
  const instances = createInstances(database, {
    instancesMax: config.instances.max,
    pairingsMax: config.instances.pairingsMax,
    pairingMaxMs: Math.max(config.instances.qrWindowMs, config.instances.pairingCodeWindowMs) + PAIRING_SLACK_MS,
    onWritten: (id) => hints.instances([id]),
  })
  const accessKeys = createAccessKeys({
    pool: database.pool,
    onWritten(id) {
      instances.forget([id])
      hints.instances([id])
    },
  })
  const adminTokens = createAdminTokens({
    pool: database.pool,
    own: secrets.adminToken,
    salt: installation.id,
    onWritten: () => hints.administrators(),
  })
  if (!(await adminTokens.open()))
    logger.warn('ADMIN_TOKEN was rotated away: it opens nothing; set another one, or unset it.')
  const queueConnections = await life.start(
    'queue connections',
    () => createQueueConnections({ redis: connections, node: nodeId, logger }),
    (queues) => queues.close(),
  )
  const outgoing = await life.start(
    'outgoing requests',
    () =>
      createOutgoing({
        allowPrivateAddresses: config.outgoing.allowPrivateAddresses,
        userAgent: `posthorn/${packageVersion}`,
        lookups: {
          max: config.outgoing.lookupsPerInstanceMax,
          waitingMax: LOOKUPS_WAITING * config.outgoing.lookupsPerInstanceMax,
          timeoutMs: config.outgoing.lookupTimeoutMs,
          onRefused: () => metrics.refused('lookups'),
        },
      }),
    (client) => client.close(),
  )

  let publicUrl = config.http.publicUrl ?? ''
  const links = createFileLinks({ secret: secrets.clusterSecret, lifeMs: config.media.retentionHours * HOUR_MS })
  const origin = {
    url: () => publicUrl,
    fileUrl(instance: InstanceId, record: Readonly<Record<string, unknown>>, fromMs: number) {
      const path = links.pathOfRecord(instance, record, fromMs)
      return path === '' ? '' : `${publicUrl}${path}`
    },
  }
  let journal: Journal | undefined
  let rotation: KeyRotation | undefined
  const metrics = createMetrics({
    instances: () => host.counts(),
    journalWaitingBytes: () => journal?.waitingBytes ?? 0,
    deliveries: () => delivery.counts(),
    oldestDelivery: () => ({ ageMs: delivery.oldestAgeMs(), ageMaxMs: deliveryAgeMaxMs }),
    streams: () => streams.size,
    sealing: () => rotation?.progress,
  })

  const streams = await life.start(
    'event streams',
    () =>
      createStreams({
        store: streamStore(database.pool, origin),
        heartbeatMs: config.stream.heartbeatMs,
        clientsMax: config.stream.clientsMax,
        instanceMax: config.stream.instanceMax,
        adminMax: config.stream.adminMax,
        logger,
      }),
    (open) => open.close(),
  )
  journal = await life.start(
    'journal',
    () =>
      createJournal({
        clientConfig: database.clientConfig,
        encryption,
        log,
        onCommitted: ({ events, lanes, mergedLanes }) => {
          const changed = new Set(events.map(({ instance }) => instance))
          streams.wake(changed)
          if (changed.size > 0) hints.events(changed)
          delivery.wake(lanes)
          if (mergedLanes.length > 0) void delivery.sweepNow()
        },
        onBatch: (batch) => metrics.batch(batch),
      }),
    (writer) => writer.close(),
  )
  const writes = journal

  const webhooks = createWebhooks({
    rows: createWebhookRows(database, encryption),
    deadLetters: deadLetterStore(database.pool, origin),
    outgoing,
    timeoutMs: config.webhooks.timeoutMs,
    webhooksMax: config.webhooks.max,
    sample: async (instance, eventId) =>
      sampleEvent(instance === null ? null : await instances.byId(instance), eventId, publicUrl),
    onChanged: (webhookId) => delivery.changed(webhookId),
    onReplayed(lanes) {
      delivery.replayed(lanes)
      hints.webhooks(new Set(lanes.map(({ webhookId }) => webhookId)))
    },
    onWritten: (webhookId) => hints.webhooks([webhookId]),
  })
  const { maxAgeHours } = config.webhooks
  const deliveryAgeMaxMs = maxAgeHours === 0 ? Number.POSITIVE_INFINITY : maxAgeHours * HOUR_MS
  const delivery = createWebhookDelivery({
    redis: queueConnections,
    store: deliveryStore(database.pool, origin, () => host.ready(), {
      isOurs: (instance) => host.isReady(shardOf(instance)) && !settling.has(shardOf(instance)),
      async record(instance, outcomes) {
        const epoch = joined?.node.epochOf(shardOf(instance))
        if (epoch === undefined) throw new GatewayError('NOT_OWNER')
        await writes.writeDeliveries(instance, epoch, outcomes)
      },
    }),
    targets: webhooks,
    outgoing,
    timeoutMs: config.webhooks.timeoutMs,
    concurrency: config.webhooks.concurrency,
    instanceConcurrency: config.webhooks.instanceConcurrency,
    retries: {
      attemptsMax: config.webhooks.attemptsMax,
      delayMinMs: config.webhooks.backoffMinMs,
      delayMaxMs: config.webhooks.backoffMaxMs,
    },
    ageMaxMs: deliveryAgeMaxMs,
    logger,
  })

  const toSend = createFilesToSend({ storage, files })
  const reader = createReader(database.actorsPool, encryption)
  const host: Host = createInstanceHost(config, {
    logger,
    nodeId,
    reader,
    files: toSend,
    mediaHosts,
    tempDir,
    guard: member.guard,
    journal: writes,
    wanted: (shards) => instances.instancesToConnect(shards),
    admit: (instance) => instances.admit(instance),
    queued: (instance) => sendQueues.wake(instance),
    count: metrics.happened,
    frameHeld: metrics.frameHeld,
  })
  const outbox = createOutbox(database.pool)
  const sendQueues = createWakeUps({
    redis: queueConnections,
    kind: 'send',
    concurrency: SEND_QUEUES_MAX,
    handle: (instance) => host.runQueue(instance as InstanceId),
    sweep: () => outbox.instancesWithQueued(host.ready()),
    logger,
  })
  host.onChange((nowReady) => {
    if (nowReady.length === 0) return
    void delivery.sweepNow()
    void sendQueues.sweepNow()
  })
  /** Shards of which no webhook is sent any more, because they are about to move. */
  const settling = new Set<number>()
  const calls = createCallMetrics(metrics.registry, {
    calls: () => joined?.router.counts() ?? { parked: 0, unanswered: 0 },
    served: () => joined?.served() ?? 0,
  })
  const clusterMetrics = createClusterMetrics(metrics.registry, {
    node: () => joined?.node,
    lease: () => member.lease,
    isHearing: () => hints.isHearing,
    logins: () => ({ ...host.logins(), perSecond: config.instances.loginRatePerSecond }),
  })
  hints.follow({
    events: (which) => streams.wake(which),
    instances: (which) => instances.forget(which),
    webhooks(which) {
      webhooks.refresh(which)
      if (which === 'all') void delivery.sweepNow()
      else for (const id of which) delivery.changed(id)
    },
    table: () => joined?.node.hint(),
    administrators: () => adminTokens.forget(),
  })
  let isFatal = false
  life.onFatal(() => {
    isFatal = true
    host.fence()
    joined?.abandon()
  })
  const cluster = await life.start(
    'cluster',
    async () => {
      joined = await member.join({
        actors: {
          ...host,
          activate(shard, epoch) {
            settling.delete(shard)
            host.activate(shard, epoch)
          },
          async quiet(shard, epoch) {
            settling.add(shard)
            await delivery.settle((instance) => shardOf(instance) === shard, DELIVERIES_SETTLE_MS)
            await host.quiet(shard, epoch)
          },
        },
        local: { ask: (instance, command, context) => host.ask(instance, command, context) },
        shardOf,
        rules: repeatRules,
        parkTimeoutMs: config.cluster.parkTimeoutMs,
        announce: () => hints.table(),
        removeLeftOf: (node) => removeQueuesOf(connections, node),
        explain: (error) =>
          isStoreTrouble(error) ? new GatewayError('STORE_UNAVAILABLE', { cause: error }) : undefined,
        observe: { ...calls, node: clusterMetrics.node },
        onDead() {
          if (!isFatal && !life.isStopping)
            life.fail(new OperatorError('The other nodes have declared this one dead; start it again.'))
        },
      })
      return joined
    },
    (one) => one.leave(),
  )
  await life.start(
    'webhook delivery',
    () => delivery,
    (lanes) => lanes.close(),
    { stopTimeoutMs: config.webhooks.timeoutMs + 2_000 },
  )
  await life.start(
    'send queues',
    () => sendQueues,
    (queues) => queues.close(),
  )

  const retention = createRetention({
    pool: database.pool,
    log,
    messagesMs: keptMs(config.data.retentionDays),
    eventsMs: keptMs(config.data.retentionDays),
    auditMs: keptMs(config.data.auditRetentionDays),
  })
  await life.start(
    'retention',
    () => retention.start(),
    () => retention.close(),
  )

  const sweep = createSweep({ storage, files, receivedMs: config.media.retentionHours * HOUR_MS, log })
  await life.start(
    'sweep of files',
    () => sweep.start(),
    () => sweep.close(),
  )

  if (secrets.encryptionKeysOld.length > 0) {
    rotation = createKeyRotation({ pool: database.pool, encryption, log })
    const sealing = rotation
    await life.start(
      'encryption key rotation',
      () => sealing.start(),
      () => sealing.close(),
    )
  }

  const ffmpeg = createFfmpeg({
    program: findFfmpeg(config.media.ffmpegPath, process.env.PATH),
    timeoutMs: config.media.convertTimeoutMs,
    outputMaxBytes: config.media.maxBytes,
  })
  const shared = { storage, files, ffmpeg, tempDir, fileMaxBytes: config.media.maxBytes }
  const media = createMediaDesk({
    toSend,
    intake: createIntake({ ...shared, outgoing, fetchTimeoutMs: config.media.fetchTimeoutMs }),
    library: createLibrary({
      ...shared,
      network: createNetworkMedia(mediaHosts),
      router: cluster.router,
      messageOf: ({ instance, record }) => reader.messageByRecordId(instance, record),
      logger: logger.child({ part: 'media' }),
    }),
    links,
    publicUrl: () => publicUrl,
    canConvert: ffmpeg.isThere,
  })
  const api = createApi(
    {
      router: cluster.router,
      instances,
      transfer: createInstanceTransfer({
        pool: database.pool,
        encryption,
        onWritten: instances.noteWritten,
        limits: { bytesMax: config.data.transferMaxBytes, timeoutMs: config.data.transferTimeoutMs },
        webhooksMax: config.webhooks.max,
        checkWebhook: webhooks.check,
      }),
      messages: createMessages(database.pool, config.database.searchTimeoutMs),
      chats: createChats(database.pool, config.database.searchTimeoutMs),
      contacts: createContacts(database.pool, config.database.searchTimeoutMs),
      labels: createLabels(database.pool),
      quickReplies: createQuickReplies(database.pool),
      groups: createGroups(database.pool, config.database.searchTimeoutMs),
      agentRecords: createAgentRecords(database.pool),
      webhooks,
      streams,
      linkPreviews: createLinkPreviews({
        outgoing,
        perOwnerMax: config.outgoing.fetchesPerInstanceMax,
        onRefused: () => metrics.refused('fetches'),
      }),
      media,
      cluster: createClusterView({
        rows: createClusterRows(database.pool),
        incarnation,
        node: cluster.node,
        announce: () => hints.table(),
      }),
      health: { ready: () => readiness(database, writes, life), metrics: () => metrics.text() },
      adminTokens,
      accessKeys,
      audit: createAuditLog(database.pool, nodeId),
    },
    {
      logger: logger.child({ part: 'api' }),
      redis,
      limits: {
        perAddress: perSecond(config.http.rateLimits.addressPerSecond),
        perToken: perSecond(config.http.rateLimits.tokenPerSecond),
        perInstance: perSecond(config.http.rateLimits.instancePerSecond),
        failedTokensPerAddress: { points: config.http.rateLimits.refusedPerMinute, durationMs: 60_000 },
      },
      bodyBytesMax: config.http.bodyLimitBytes,
      bodyKeysMax: config.http.bodyKeysMax,
      uploadsPerInstanceMax: config.http.uploadsPerInstanceMax,
      searchesPerInstanceMax: config.http.searchesPerInstanceMax,
      bodyValuesMax: config.http.bodyValuesMax,
      fileBytesMax: config.media.maxBytes,
      tempDir,
      requestTimeoutMs: config.http.requestTimeoutMs,
      headersTimeoutMs: config.http.headersTimeoutMs,
      keepAliveTimeoutMs: config.http.keepAliveTimeoutMs,
      connectionsMax: config.http.connectionsMax,
      trustedProxies: config.http.trustedProxies,
      corsOrigins: config.http.corsOrigins,
      connectWaitMs: config.instances.connectWaitMs,
      messageDelayMinSeconds: config.sends.delayMinMs / 1000,
      messageDelayMaxSeconds: config.sends.delayMaxMs / 1000,
      menuTextFallback: config.sends.menuTextFallback,
      ...(config.metrics.token === undefined ? {} : { metricsToken: config.metrics.token }),
      observe: metrics.request,
      refused: metrics.refused,
    },
  )
  const { port } = await life.start(
    'API',
    () => api.listen({ host: config.http.host, port: config.http.port }),
    () => api.close(),
  )
  if (publicUrl === '') publicUrl = `http://${config.http.host === '0.0.0.0' ? '127.0.0.1' : config.http.host}:${port}`
  logger.info(
    { url: publicUrl, host: config.http.host, port, node: nodeId, version: packageVersion },
    'The API listens.',
  )
  if (secrets.isAdminTokenNew) announceAdminToken(secrets.adminToken, secrets.file, publicUrl)

  // The first thing of a shutdown, while calls are still taken.
  await life.start(
    'drain',
    () => {},
    async () => {
      const { shutdownTimeoutMs, shutdownNoticeMs } = config.cluster
      api.dismiss()
      if (!isFatal) await cluster.drain(Math.max(0, shutdownTimeoutMs - AFTER_DRAIN_MS), shutdownNoticeMs)
    },
    { stopTimeoutMs: config.cluster.shutdownTimeoutMs },
  )
}

interface HostParts {
  readonly logger: Logger
  readonly nodeId: string
  readonly reader: InstanceReader
  readonly files: FilesToSend
  readonly mediaHosts: MediaHosts
  readonly tempDir: string
  readonly guard: Member['guard']
  readonly journal: Journal
  readonly wanted: (shards: readonly number[]) => Promise<readonly InstanceId[]>
  readonly admit: (instance: InstanceId) => Promise<boolean>
  readonly queued: (instance: InstanceId) => void
  readonly count: (metric: InstanceMetric) => void
  readonly frameHeld: (heldMs: number) => void
}

function createInstanceHost(config: Config, parts: HostParts): Host {
  const { instances, sends, network, cluster } = config
  return createHost({
    shardOf,
    network: createBaileysNetwork({
      logger: parts.logger.child({ part: 'network' }),
      websocketUrl: network.websocketUrl === REAL_NETWORK ? undefined : network.websocketUrl,
      version: network.version,
      certificateAuthority: certificateAuthority(config),
      nodeId: parts.nodeId,
      guard: parts.guard,
      onFrameHeld: parts.frameHeld,
      pairingCodeWindowMs: instances.pairingCodeWindowMs,
      keysCachedMax: KEYS_CACHED_MAX,
      silenceMaxMs: network.silenceMaxMs,
      answerMaxMs: network.answerMaxMs,
      mediaHosts: parts.mediaHosts,
      tempDir: parts.tempDir,
    }),
    reader: parts.reader,
    files: parts.files,
    logger: parts.logger.child({ part: 'instances' }),
    journalOf: (instance, epoch) => parts.journal.forInstance(instance, epoch),
    wanted: parts.wanted,
    admit: parts.admit,
    queued: parts.queued,
    loginRatePerSecond: instances.loginRatePerSecond,
    drawQr: (text) => toDataURL(text, { margin: 2, errorCorrectionLevel: 'L' }),
    random: Math.random,
    count: parts.count,
    timing: {
      qrWindowMs: instances.qrWindowMs,
      pairingCodeWindowMs: instances.pairingCodeWindowMs,
      reconnectMinMs: instances.reconnectDelayMinMs,
      reconnectMaxMs: instances.reconnectDelayMaxMs,
      replacedDelayMs: instances.reconnectDelayMaxMs,
      stableMs: STABLE_MS,
      presenceRefreshMs: instances.presenceRefreshMs,
      presenceMaxMs: instances.presenceMaxMs,
      ackTimeoutMs: sends.ackTimeoutMs,
      parkTimeoutMs: cluster.parkTimeoutMs,
      sendMaxAgeMs: sends.maxAgeMs,
      pacingMinMs: sends.delayMinMs,
      pacingMaxMs: sends.delayMaxMs,
      queueMax: sends.queueMax,
    },
  })
}

async function createStorage({ media, data }: Config): Promise<Storage> {
  const { bucket, accessKey, secretKey, ...s3 } = media.s3
  if (media.storage === 'none') return noStorage
  if (media.storage === 'disk') return await createDiskStorage(path.join(data.dir, 'media'))
  return await createS3Storage({ ...s3, bucket: bucket ?? '', accessKey: accessKey ?? '', secretKey: secretKey ?? '' })
}

function certificateAuthority({ network }: Config): string | undefined {
  return network.mediaCaFile === undefined ? undefined : readFileSync(network.mediaCaFile, 'utf8')
}

async function readiness(
  database: Database,
  journal: Journal,
  life: Lifecycle,
): Promise<{ ready: boolean; reasons: readonly string[] }> {
  if (life.isStopping) return { ready: false, reasons: ['The node is stopping.'] }
  try {
    await database.pool.query('SELECT 1')
    if (journal.isFailing) return { ready: false, reasons: ['PostgreSQL does not take writes.'] }
    return { ready: true, reasons: [] }
  } catch {
    return { ready: false, reasons: ['PostgreSQL does not answer.'] }
  }
}

/** 0 days means for good. */
function keptMs(days: number): number {
  return days === 0 ? Number.POSITIVE_INFINITY : days * DAY_MS
}

function perSecond(points: number): { points: number; durationMs: number } {
  return { points, durationMs: 1_000 }
}

/** To the terminal and not to the log: it is shown once, to the person who started the gateway. */
function announceAdminToken(token: string, file: string, url: string): void {
  const line = '─'.repeat(72)
  process.stderr.write(
    [
      '',
      line,
      `  Posthorn is running.  API page:  ${url}/docs`,
      '',
      `  Administrator's token:  ${token}`,
      `  It is shown only now. It is kept in ${file}.`,
      line,
      '',
      '',
    ].join('\n'),
  )
}

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const logger = createLogger(config.logging, await logDestination(config.logging))
  silenceConsole(() => {})
  const mediaHosts = createMediaHosts({
    mediaHost: config.network.mediaHost ?? null,
    networkHost: config.network.websocketUrl === REAL_NETWORK ? null : new URL(config.network.websocketUrl).hostname,
    certificateAuthority: certificateAuthority(config),
  })
  guardLibraryFetch(mediaHosts)
  if (config.network.noiseRootKey !== undefined)
    WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(config.network.noiseRootKey, 'hex')
  const life = createLifecycle({ logger, shutdownTimeoutMs: config.cluster.shutdownTimeoutMs })
  life.handleProcessEvents()
  try {
    await start(config, mediaHosts, life, logger)
  } catch (error) {
    if (error instanceof LifecycleStopped) return
    await life.stop('the start failed')
    throw error
  }
}

main().catch((error: unknown) => {
  const text =
    error instanceof OperatorError
      ? error.message
      : error instanceof Error
        ? (error.stack ?? error.message)
        : String(error)
  process.stderr.write(`${text}\n`, () => process.exit(1))
})
