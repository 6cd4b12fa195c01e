import type { Logger } from 'pino'
import { OperatorError } from '../../schemas/operator-error.js'
import type { NodeRow } from './ownership/protocol.js'
import type { PeerClient } from './peers/client.js'

/**
 * Probes the other nodes once, to find wrong addresses and secrets at the start instead of in calls that wait in vain.
 * @throws OperatorError when none of the nodes that listen accepts our secret
 */
export async function probePeers(
  others: readonly NodeRow[],
  own: { readonly address: string; readonly peers: Pick<PeerClient, 'probe'>; readonly timeoutMs: number },
  log: Logger,
): Promise<void> {
  const namesake = others.find(({ address }) => address === own.address)
  if (namesake !== undefined)
    log.warn(
      { address: own.address, nodeId: namesake.nodeId },
      'Another node has the same address as this one. Give each node a NODE_ADDRESS at which the others reach it.',
    )
  const answers = await Promise.all(
    others
      .filter((other) => other !== namesake)
      .map(async ({ address }) => await own.peers.probe(address, own.timeoutMs)),
  )
  const isStranger = answers.some((answer) => answer.type === 'lost' && answer.why === 'garbled')
  if (isStranger && !answers.some(({ type }) => type === 'answered'))
    throw new OperatorError('The other nodes have another CLUSTER_SECRET; it must be the same on every node.')
}
