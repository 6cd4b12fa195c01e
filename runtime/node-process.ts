/** Starts the parts of a node in order, and stops them in reverse. `runtime/node/` has the parts. It is the whole process, or one of several. */

import { OperatorError } from '../schemas/operator-error.js'
import { readConfig } from './config.js'
import { createLifecycle, LifecycleStopped } from './lifecycle.js'
import { createLogger, logDestination } from './logging.js'
import { startActors } from './node/actors.js'
import { checkApiAddress, startApi } from './node/api.js'
import { startChannels } from './node/channels.js'
import { attachChatwoot, createChatwoot } from './node/chatwoot.js'
import { startClientVersion } from './node/client-version.js'
import { joinCluster, startMembership } from './node/cluster.js'
import { createNodeContext, type NodeContext } from './node/context.js'
import { attachDelivery, createDelivery } from './node/delivery.js'
import { openDirectories } from './node/directories.js'
import { startKnowledge } from './node/knowledge.js'
import { prepareNetworkLibrary } from './node/network.js'
import { attachSendQueues, createSendQueues } from './node/send-queues.js'
import { startStores } from './node/stores.js'
import { startUpkeep } from './node/upkeep.js'
import { joinOwnGroup } from './processes/membership.js'
import { takePlace } from './processes/process-place.js'
import { readableStack } from './readable-stack.js'

async function start(node: NodeContext): Promise<void> {
  // The supervisor of several processes has checked it, and holds the port.
  if (node.group === null) await checkApiAddress(node.config)
  const stores = await startStores(node)
  node.group?.opened()
  const membership = await startMembership(node, stores)
  const directories = await openDirectories(node, stores)
  const channels = await startChannels(node, stores)
  const knowledge = await startKnowledge(node, stores, channels)
  const clientVersion = await startClientVersion(node, stores)
  const actors = await startActors(node, stores, clientVersion.keeper, membership, directories, channels, knowledge)
  const chatwoot = createChatwoot(node, { stores, channels, actors })
  const delivery = createDelivery(node, { stores, membership, directories, channels, actors, chatwoot })
  const sendQueues = createSendQueues(node, stores, actors)
  const parts = { stores, membership, directories, channels, actors, delivery, chatwoot }
  const cluster = await joinCluster(node, parts)
  await attachDelivery(node, delivery)
  await attachSendQueues(node, sendQueues)
  await attachChatwoot(node, chatwoot)
  const jobs = await startUpkeep(node, { ...parts, cluster, knowledge }, clientVersion)
  await startApi(node, { ...parts, cluster, knowledge, jobs })
}

async function main(): Promise<void> {
  const place = takePlace(process.env)
  const config = readConfig(process.env)
  const lineFields = place === null ? null : { process: place.index }
  const logger = createLogger(config.logging, await logDestination(config.logging), lineFields)
  const mediaHosts = prepareNetworkLibrary(config)
  const life = createLifecycle({ logger, shutdownTimeoutMs: config.cluster.shutdownTimeoutMs })
  life.handleProcessEvents({ isSupervised: place !== null })
  const group = place === null ? null : joinOwnGroup(place, life)
  try {
    await start(createNodeContext({ config, logger, life, mediaHosts, group }))
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
        ? readableStack(error.stack ?? error.message)
        : String(error)
  process.stderr.write(`${text}\n`, () => process.exit(1))
})
