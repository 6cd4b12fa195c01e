import type { PeerCalls, ProbeResult } from './core-commands.js'
import type { Incarnation, NodeId, Timing } from './ownership/protocol.js'
import type { PeerClient } from './peers/client.js'

export interface PeerCallsOptions {
  readonly peers: Pick<PeerClient, 'probe' | 'pull'>
  /** This node. */
  readonly incarnation: Incarnation
  readonly timing: Timing
  readonly announce: () => void
}

/** Requests of the ownership core to other nodes, over the peer client. */
export function createPeerCalls({ peers, incarnation, timing, announce }: PeerCallsOptions): PeerCalls {
  return {
    probe: (node) => peers.probe(node.address, timing.commandTimeoutMs).then((answer) => probeResult(node, answer)),
    async pull({ address }, shard, epoch) {
      const answer = await peers.pull(address, { shard, epoch, by: incarnation }, timing.pullTimeoutMs)
      if (answer === null) throw new Error('The owner of a shard did not answer.')
      return answer.epoch
    },
    announce,
  }
}

function probeResult(
  { incarnation, nodeId }: { readonly incarnation: Incarnation; readonly nodeId: NodeId },
  answer: Awaited<ReturnType<PeerClient['probe']>>,
): ProbeResult {
  if (answer.type === 'lost') return answer.why === 'refused' ? 'refused' : 'silent'
  if (answer.state.incarnation === incarnation) return answer.state.isGuardOpen ? 'alive' : 'closed'
  return answer.state.nodeId === nodeId ? 'restarted' : 'silent'
}
