import { packageVersion } from '../../lib/package-root.js'
import type { AgentModels } from '../../schemas/agents/models.js'
import type { FunctionHttp } from '../../schemas/agents/tools.js'
import { createFunctionHttp } from '../agents/function-http.js'
import { createAgentModels } from '../agents/models/agent-models.js'
import { createStreams, type Streams } from '../delivery/stream.js'
import { createFileLinks, type FileLinks } from '../media/links.js'
import { createModelCallCounter } from '../metrics/agent-metrics.js'
import { createOutgoing, type Outgoing, type OutgoingOptions } from '../outgoing/client.js'
import { streamStore } from '../store/delivery-views.js'
import type { EventOrigin } from '../store/events.js'
import type { NodeContext } from './context.js'
import type { Stores } from './stores.js'

/** The ways on which events and requests leave a node. */
export interface Channels {
  readonly outgoing: Outgoing
  /** Deliveries of webhooks, with the operator's own hosts. */
  readonly webhooks: Outgoing
  /** Calls of the functions of agents. */
  readonly functions: FunctionHttp
  readonly models: AgentModels
  /** Checks base URLs of models, with the operator's own hosts. */
  readonly modelAddresses: Pick<Outgoing, 'assertUrlAllowed'>
  /** Calls of Chatwoot, and fetches of its files, with the operator's own hosts. */
  readonly chatwoot: Outgoing
  readonly streams: Streams
  readonly links: FileLinks
  readonly origin: Origin
}

/** Maximum of names that wait for each lookup of an instance under way. */
const LOOKUPS_WAITING = 50
const HOUR_MS = 60 * 60_000
/** A call of a model holds its connection for many seconds, and most instances use the same few providers. */
const MODEL_CONNECTIONS_MAX = 512
/** Connections to a host that are left for other requests while all places of a receiver are taken. */
const OTHER_CONNECTIONS_MAX = 32

export async function startChannels(node: NodeContext, stores: Stores): Promise<Channels> {
  const { config } = node
  const connectionsMax = config.webhooks.receiverConcurrency + OTHER_CONNECTIONS_MAX
  const outgoing = await startOutgoing(node, 'outgoing requests', { connectionsMax })
  const { privateHosts } = config.webhooks
  // Without hosts of its own the same one: a second one would have lookups and connections of its own.
  const webhooks =
    privateHosts.length === 0 ? outgoing : await startOutgoing(node, 'webhooks', { privateHosts, connectionsMax })
  // Apart from the others: hosts that only models may use must not be reached by a webhook.
  const modelRequests = await startOutgoing(node, 'requests to models', {
    privateHosts: config.agents.privateHosts,
    connectionsMax: MODEL_CONNECTIONS_MAX,
  })
  const chatwoot = await startOutgoing(node, 'requests to Chatwoot', {
    privateHosts: config.chatwoot.privateHosts,
    connectionsMax,
  })
  const models = createAgentModels({
    outgoing: modelRequests,
    perInstanceMax: config.agents.modelCallsPerInstanceMax,
    onCall: createModelCallCounter(node.registry),
    work: node.work,
  })
  const links = createFileLinks({
    secret: stores.secrets.clusterSecret,
    lifeMs: config.media.retentionHours * HOUR_MS,
  })
  const origin = createOrigin(links, config.http.publicUrl)
  const streams = await startStreams(node, stores, origin)
  const functions = createFunctionHttp({ outgoing })
  return { outgoing, webhooks, functions, models, modelAddresses: modelRequests, chatwoot, streams, links, origin }
}

function startOutgoing(
  { config, life, requestMetrics }: NodeContext,
  name: string,
  own: Pick<OutgoingOptions, 'privateHosts' | 'connectionsMax'> = {},
): Promise<Outgoing> {
  const { allowPrivateAddresses, lookupsPerInstanceMax, lookupTimeoutMs } = config.outgoing
  return life.start(
    name,
    () =>
      createOutgoing({
        ...own,
        allowPrivateAddresses,
        userAgent: `posthorn/${packageVersion}`,
        lookups: {
          max: lookupsPerInstanceMax,
          waitingMax: LOOKUPS_WAITING * lookupsPerInstanceMax,
          timeoutMs: lookupTimeoutMs,
          onRefused: () => requestMetrics.refused('lookups'),
        },
      }),
    (client) => client.close(),
  )
}

function startStreams({ config, life, logger }: NodeContext, { database }: Stores, origin: Origin): Promise<Streams> {
  return life.start(
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
}

/** The address under which callers reach this installation, and the links to files below it. */
interface Origin extends EventOrigin {
  /** Uses this address unless PUBLIC_URL is set. */
  setDefault(url: string): void
}

/**
 * Creates the origin. Its address is empty until `setDefault` is called, unless PUBLIC_URL is set.
 * @param publicUrl PUBLIC_URL
 */
function createOrigin(links: FileLinks, publicUrl: string | undefined): Origin {
  let address = publicUrl ?? ''
  return {
    url: () => address,
    fileUrl(instance, record, fromMs) {
      const path = links.pathOfRecord(instance, record, fromMs)
      return path === '' ? '' : `${address}${path}`
    },
    setDefault(url) {
      if (address === '') address = url
    },
  }
}
