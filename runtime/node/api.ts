import { spawn } from 'node:child_process'
import { hkdfSync } from 'node:crypto'
import { createAgentTools } from '../../actors/agents/tools/agent-tools.js'
import { createFunctionTrials } from '../../actors/agents/tools/function-trials.js'
import { createAgentTrials, dryHttp } from '../../actors/agents/trials.js'
import { readForeignSession } from '../../actors/network/baileys/foreign-session.js'
import { ProxyFailure } from '../../actors/network/route/proxy-failure.js'
import type { Routes } from '../../actors/network/route/routes.js'
import { type Api, createApi } from '../../api/app.js'
import { checkAddress } from '../../api/listen-errors.js'
import type { ApiOptions, McpOptions, RateLimitOptions } from '../../api/options.js'
import type { ApiPorts } from '../../api/ports.js'
import { createOwnerSlots } from '../../lib/owner-slots.js'
import { packageVersion } from '../../lib/package-root.js'
import { GatewayError } from '../../schemas/errors.js'
import type { ProxyDirectory } from '../../schemas/ports/instances.js'
import { createAgentChecks } from '../agents/agent-checks.js'
import { createTranscriptions } from '../agents/transcription.js'
import { createRecipientImports } from '../campaigns/recipient-import.js'
import { createClusterRows, createClusterView } from '../cluster/cluster-view.js'
import type { JoinedNode } from '../cluster/joined-node.js'
import type { Config } from '../config.js'
import { AFTER_DRAIN_MS } from '../lifecycle.js'
import { createLinkPreviews } from '../outgoing/link-preview.js'
import type { ClusterJobs } from '../queues/cluster-jobs.js'
import { createAgentRecords } from '../store/agent-records.js'
import { createAgentDirectory } from '../store/agents/agent-directory.js'
import { createKnowledgeEntries } from '../store/agents/knowledge-entries.js'
import { createMessageTexts } from '../store/agents/message-texts.js'
import { createTurnDirectory } from '../store/agents/turn-directory.js'
import { createAuditLog } from '../store/audit-log.js'
import { createBulkJobs } from '../store/bulk-jobs.js'
import { createCampaigns } from '../store/campaigns/campaigns.js'
import { createCreationSlots } from '../store/campaigns/creation.js'
import { createCampaignImports } from '../store/campaigns/imports.js'
import { createChatValues } from '../store/chat-values.js'
import { createChats } from '../store/chats.js'
import { createContacts } from '../store/contacts.js'
import { createFigures } from '../store/figures.js'
import { createGroups } from '../store/groups.js'
import { createKeptAnswers } from '../store/kept-answers.js'
import { createLabels } from '../store/labels.js'
import { createMessages } from '../store/messages.js'
import { createProxies } from '../store/proxies.js'
import { createQuickReplies } from '../store/quick-replies.js'
import { createRequestLog, type RequestLog } from '../store/request-log.js'
import { createScheduledSends } from '../store/scheduled-sends.js'
import { createSuppressions } from '../store/suppressions.js'
import { createTrafficDirectory } from '../store/traffic.js'
import { createInstanceTransfer } from '../store/transfer/instance-transfer.js'
import { createSessionImports } from '../store/transfer/session-import.js'
import { createNodeBudget } from './agents.js'
import type { ClusterParts } from './cluster.js'
import type { NodeContext } from './context.js'
import type { Directories } from './directories.js'
import { createHealth } from './health.js'
import type { NodeKnowledge } from './knowledge.js'
import { createMedia } from './media.js'
import type { Stores } from './stores.js'

/** Time for which the link of the first start signs in. */
const WELCOME_MS = 10 * 60_000

/** All that was started before the API. */
export interface ApiParts extends ClusterParts {
  readonly cluster: JoinedNode
  readonly jobs: ClusterJobs
  readonly knowledge: NodeKnowledge
}

/** Checks that the address of the API is free, before anything is started or taken from other nodes. @throws OperatorError */
export async function checkApiAddress({ http }: Config): Promise<void> {
  await checkAddress({ host: http.host, port: http.port, hostSetting: 'HOST', portSetting: 'PORT' })
}

/** Starts the API. At the stop of the node, the drain comes first, while calls are still taken. */
export async function startApi(node: NodeContext, parts: ApiParts): Promise<void> {
  const { config, life } = node
  const requests = await life.start(
    'log of calls',
    () => createRequestLog({ pool: parts.stores.database.pool, node: node.nodeId, log: parts.stores.log }),
    (log) => log.close(),
  )
  const ports = makePorts(node, parts, requests)
  node.mainThread.auditTo(ports.audit)
  const api = createApi(ports, { ...makeOptions(node, parts), noteRequest: requests.note })
  const { port } = await life.start(
    'API',
    () => api.listen({ host: config.http.host, port: config.http.port }),
    () => api.close(),
  )
  parts.chatwoot.listens()
  await announce(node, parts, api, port)
  node.group?.listening({ host: config.http.host, port, url: parts.channels.origin.url() })
  await life.start(
    'drain',
    () => {},
    () => drain(node, api, parts.cluster),
    { stopTimeoutMs: config.cluster.shutdownTimeoutMs },
  )
}

async function drain({ config, life }: NodeContext, api: Api, cluster: JoinedNode): Promise<void> {
  const { shutdownTimeoutMs, shutdownNoticeMs } = config.cluster
  api.dismiss()
  if (!life.isFatal) await cluster.drain(Math.max(0, shutdownTimeoutMs - AFTER_DRAIN_MS), shutdownNoticeMs)
}

async function announce(
  { config, logger, nodeId, group }: NodeContext,
  { stores, channels, directories }: ApiParts,
  { hasDashboard }: Api,
  port: number,
): Promise<void> {
  const { host } = config.http
  const { origin } = channels
  origin.setDefault(`http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`)
  const url = origin.url()
  const facts = { url, host, port, node: nodeId, version: packageVersion }
  logger.info(facts, group === null ? 'The API listens.' : 'This process takes calls.')
  if (group?.place.announces === false) return
  const { isAdminTokenNew, adminToken: token, file } = stores.secrets
  const code = isAdminTokenNew && hasDashboard ? await findRefusal(directories, token) : null
  const newToken = isAdminTokenNew ? { token, file, code } : null
  // Where nobody reads along, only a token that is shown once is worth a line.
  if (isAdminTokenNew || process.stderr.isTTY) process.stderr.write(announcement({ url, hasDashboard, newToken }))
  if (!process.argv.includes('--open')) return
  const say = (sentence: string) => void process.stderr.write(sentence)
  if (hasDashboard) openBrowser(dashboardAddress({ url, newToken }), say)
  else say('There is no dashboard to open: DASHBOARD is false, or it is not built.\n')
}

/** Makes the code of the link that a person opens first. Null if the store refuses it: the token does as well. */
async function findRefusal({ adminTokens, passes }: Directories, token: string): Promise<string | null> {
  try {
    const actor = await adminTokens.identify(token)
    if (actor === null) return null
    return (await passes.openCode({ kind: 'admin', actor, token, pass: null }, null, WELCOME_MS)).code
  } catch {
    return null
  }
}

function makePorts(node: NodeContext, parts: ApiParts, requests: RequestLog): ApiPorts {
  const { config, nodeId, events } = node
  const { stores, directories, channels, actors, delivery, chatwoot, cluster, jobs } = parts
  const { pool } = stores.database
  const { searchTimeoutMs } = config.database
  const media = createMedia(node, stores, channels, actors, cluster.router)
  const agentRecords = createAgentRecords(pool, stores.encryption)
  const inSlot = createCreationSlots(pool)
  const knowledge = parts.knowledge.search
  const agents = createAgentDirectory(pool, stores.encryption, directories.instances.noteWritten)
  const budget = createNodeBudget(node, stores)
  // An owner that cannot be reached tells at its next turn, or when the budget is used again.
  events.on('agentBudget', (instance) => void cluster.router.ask(instance, { type: 'reloadAgents' }).catch(() => {}))
  const transcriptions = createTranscriptions({
    media,
    models: channels.models,
    texts: createMessageTexts(pool),
    openaiKey: agents.openaiKey,
    budget,
  })
  actors.turnFiles.use({ media, transcriptions })
  const filesOfAgents = createMedia(node, stores, { ...channels, outgoing: channels.chatwoot }, actors, cluster.router)
  chatwoot.use({ router: cluster.router, media: filesOfAgents })
  delivery.useFiles(media)
  return {
    ...directories,
    router: cluster.router,
    transfer: createTransfer(node, parts),
    proxies: createProxyDirectory(stores, actors.routes),
    sessions: createSessionImports({
      pool,
      encryption: stores.encryption,
      tokenCopies: directories.tokenCopies,
      read: readForeignSession,
    }),
    messages: createMessages(pool, searchTimeoutMs),
    scheduled: createScheduledSends(pool, stores.encryption, config.sends, searchTimeoutMs),
    keptAnswers: createKeptAnswers(pool, stores.encryption),
    messageIds: stores.messageIds,
    campaigns: createCampaigns(pool, { searchTimeoutMs, inSlot }),
    chats: createChats(pool, searchTimeoutMs),
    contacts: createContacts(pool, searchTimeoutMs),
    labels: createLabels(pool),
    quickReplies: createQuickReplies(pool),
    suppressions: createSuppressions(pool),
    recipientImports: createRecipientImports(createCampaignImports(pool, inSlot), node.work, createChatValues(pool)),
    groups: createGroups(pool, searchTimeoutMs),
    agentRecords,
    functionTrials: createFunctionTrials(agentRecords, channels.functions),
    knowledge: createKnowledgeEntries(pool, () => events.emit('knowledgeDue')),
    agentKnowledge: knowledge,
    agents,
    agentTrials: createAgentTrials({
      ...createTrialTools(channels, agentRecords, knowledge),
      agents,
      knowledge,
      budget,
    }),
    agentTurns: createTurnDirectory(
      pool,
      { turns: config.agents.turns.perDay, tokens: config.agents.turns.tokensPerDay },
      searchTimeoutMs,
    ),
    agentChecks: createAgentChecks({
      models: channels.models,
      addresses: channels.modelAddresses,
      isAsking: config.agents.areKeysChecked,
    }),
    knowledgeKeys: { changed: parts.knowledge.keysChanged },
    bulkJobs: createBulkJobs({ pool, searchTimeoutMs, onStarted: () => void jobs.lookNow() }),
    webhooks: delivery.webhooks,
    chatwoot: chatwoot.directory,
    streams: channels.streams,
    linkPreviews: createLinkPreviews({ outgoing: channels.outgoing, work: node.work }),
    media,
    transcriptions,
    cluster: createView(node, parts),
    figures: createFigures(pool, searchTimeoutMs),
    readings: cluster.readings,
    traffic: createTrafficDirectory(pool, searchTimeoutMs),
    health: createHealth(node, { database: stores.database, journal: actors.journal, store: parts.membership.store }),
    audit: createAuditLog(pool, nodeId),
    requests,
  }
}

function createTrialTools(
  { models, functions }: ApiParts['channels'],
  records: ApiPorts['agentRecords'],
  knowledge: NodeKnowledge['search'],
) {
  return {
    models,
    tools: createAgentTools({ records, http: functions, knowledge }),
    dryTools: createAgentTools({ records, http: dryHttp, knowledge }),
  }
}

function createTransfer(
  { config }: NodeContext,
  { stores, directories: { instances }, delivery: { webhooks } }: ApiParts,
): ApiPorts['transfer'] {
  return createInstanceTransfer({
    pool: stores.database.pool,
    encryption: stores.encryption,
    onWritten: instances.noteWritten,
    limits: { bytesMax: config.data.transferMaxBytes, timeoutMs: config.data.transferTimeoutMs },
    webhooksMax: config.webhooks.max,
    checkWebhook: webhooks.check,
  })
}

function createView(
  { events, incarnation }: NodeContext,
  { stores, cluster, membership }: ApiParts,
): ApiPorts['cluster'] {
  return createClusterView({
    rows: createClusterRows(stores.database.pool),
    incarnation,
    node: cluster.node,
    store: membership.store,
    announce: () => events.emit('tableWritten'),
  })
}

function makeOptions(
  { config, logger, requestMetrics, mainThread }: NodeContext,
  { stores, membership }: ApiParts,
): Partial<ApiOptions> & Pick<ApiOptions, 'logger'> {
  const { http, media, instances, sends, metrics } = config
  const { clusterSecret } = stores.secrets
  return {
    logger: logger.child({ part: 'api' }),
    redis: stores.redis.client,
    limits: makeLimits(http),
    bodyBytesMax: http.bodyLimitBytes,
    bodyKeysMax: http.bodyKeysMax,
    uploadsPerInstanceMax: http.uploadsPerInstanceMax,
    searchesPerInstanceMax: http.searchesPerInstanceMax,
    bodyValuesMax: http.bodyValuesMax,
    fileBytesMax: media.maxBytes,
    tempDir: stores.tempDir,
    isStoreCurrent: () => membership.store.state === 'current',
    fairTurn: (instance, others) => mainThread.fairShare.admit(instance, others),
    requestTimeoutMs: http.requestTimeoutMs,
    headersTimeoutMs: http.headersTimeoutMs,
    keepAliveTimeoutMs: http.keepAliveTimeoutMs,
    connectionsMax: http.connectionsMax,
    trustedProxies: http.trustedProxies,
    corsOrigins: http.corsOrigins,
    connectWaitMs: instances.connectWaitMs,
    messageDelayMinSeconds: sends.delayMinMs / 1000,
    messageDelayMaxSeconds: sends.delayMaxMs / 1000,
    menuTextFallback: sends.menuTextFallback,
    dialects: http.dialects,
    mcp: http.mcp.isOn ? makeMcpOptions(http.mcp, clusterSecret, requestMetrics.toolUsed) : null,
    ...(http.dashboard ? {} : { dashboardFolder: null }),
    grafanaUrl: http.grafanaUrl ?? null,
    retentionDays: config.data.retentionDays,
    ...(metrics.token === undefined ? {} : { metricsToken: metrics.token }),
    observe: requestMetrics.answered,
    refused: requestMetrics.refused,
  }
}

function makeMcpOptions(
  { callsPerMinute, strangersPerHour }: Config['http']['mcp'],
  secret: string,
  observe: McpOptions['observe'] & {},
): McpOptions {
  return {
    confirmationKey: Buffer.from(hkdfSync('sha256', secret, '', 'confirmations of agents', 32)),
    limits: {
      perKey: { points: callsPerMinute, durationMs: 60_000 },
      strangersPerKey: { points: strangersPerHour, durationMs: 3_600_000 },
    },
    observe,
  }
}

function makeLimits({ rateLimits }: Config['http']): ApiOptions['limits'] {
  return {
    perAddress: perSecond(rateLimits.addressPerSecond),
    perToken: perSecond(rateLimits.tokenPerSecond),
    perInstance: perSecond(rateLimits.instancePerSecond),
    failedTokensPerAddress: { points: rateLimits.refusedPerMinute, durationMs: 60_000 },
  }
}

function perSecond(points: number): RateLimitOptions {
  return { points, durationMs: 1_000 }
}

/** Tests of one instance that may wait for the one under way. */
const TESTS_WAITING_MAX = 2
const RETRY_S = 10

/** Creates the proxies of instances as the API sees them: rows, and a test over the network. */
function createProxyDirectory({ database, encryption }: Stores, routes: Pick<Routes, 'test'>): ProxyDirectory {
  const turns = createOwnerSlots({ max: 1, waitingMax: TESTS_WAITING_MAX }, () => {
    const message = 'Too many tests of proxies of this instance at once.'
    return new GatewayError('RATE_LIMITED', { message, retryAfterSeconds: RETRY_S })
  })
  return {
    ...createProxies(database.pool, encryption),
    test: (instance, url) => turns.run(instance, () => routes.test(instance, url).catch(refuse)),
  }
}

function refuse(error: unknown): never {
  if (!(error instanceof ProxyFailure)) throw error
  const { message, stage } = error
  throw new GatewayError('PROXY_FAILED', {
    message: `The proxy could not be used, nothing was changed: ${message}.`,
    details: [{ field: 'proxy_url', why: message }],
    fields: { stage },
  })
}

/** Facts for the person who started the gateway, for the terminal alone: nothing of it is in the log. */
interface Announcement {
  /** Address of the API, without a slash at its end. */
  readonly url: string
  readonly hasDashboard: boolean
  /** A new administrator's token, which is shown once. Null when the person has it, or has chosen it. */
  readonly newToken: { readonly token: string; readonly file: string; readonly code: string | null } | null
}

/** Returns the address of the dashboard, with the code of the first start if there is one. */
function dashboardAddress({ url, newToken }: Pick<Announcement, 'url' | 'newToken'>): string {
  return `${url}/dashboard/${newToken?.code == null ? '' : `#welcome=${newToken.code}`}`
}

/** Returns the lines for the terminal, empty when there is nothing to show. */
export function announcement({ url, hasDashboard, newToken }: Announcement): string {
  const hasCode = newToken?.code != null
  const lines = [
    ...(hasDashboard ? [`  Dashboard: ${dashboardAddress({ url, newToken })}`] : []),
    ...(!hasCode || !hasDashboard ? [] : ['  The link signs in once, within ten minutes.']),
    `  API page:  ${url}/docs`,
    ...(newToken === null
      ? []
      : ['', `  Administrator's token:  ${newToken.token}`, `  It is shown only now. It is kept in ${newToken.file}.`]),
  ]
  const line = '─'.repeat(72)
  return ['', line, ...lines, line, '', ''].join('\n')
}

export interface BrowserPlace {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  /** Starts a program; `onError` is called when there is none. */
  readonly start: (program: string, args: readonly string[], onError: () => void) => void
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}
const DESKTOP_OPENER = ['xdg-open'] as const
const NO_BROWSER = 'No browser can be opened here: open the address of the dashboard yourself.\n'

/** Opens the address in the person's browser, or calls `say` with a sentence where there is none. */
export function openBrowser(url: string, say: (sentence: string) => void, place: BrowserPlace = thisMachine): void {
  const { platform, env, start } = place
  const hasDesktop = OPENERS[platform] !== undefined || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
  if (!hasDesktop) {
    say(NO_BROWSER)
    return
  }
  const [program, ...args] = OPENERS[platform] ?? DESKTOP_OPENER
  start(program, [...args, url], () => say(NO_BROWSER))
}

const thisMachine: BrowserPlace = {
  platform: process.platform,
  env: process.env,
  start(program, args, onError) {
    const child = spawn(program, args, { detached: true, stdio: 'ignore' })
    child.once('error', onError)
    child.once('exit', (status) => {
      if (status !== 0) onError()
    })
    child.unref()
  },
}
