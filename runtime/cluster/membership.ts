import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { backOffMs, withHalfJitter } from '../../lib/back-off.js'
import { OperatorError } from '../../schemas/operator-error.js'
import { isStoreTrouble } from '../../schemas/store-trouble.js'
import type { ClusterNode } from './node.js'
import type { EndReason, Incarnation, NodeId, NodeRow } from './ownership/protocol.js'

/** Maximum time until the cluster is settled. All shards of a cluster that starts have owners well before that. */
const SETTLE_MAX_MS = 10_000
const LOOK_MS = 50
const RETRY_MIN_MS = 50
const RETRY_MAX_MS = 1_000

/**
 * Declares the processes dead that ran under our name before. Repeats it while PostgreSQL is away or slow, for as long as a start waits for
 * the cluster.
 * @throws OperatorError
 */
export async function endFormerLife(session: pg.Pool, nodeId: NodeId): Promise<void> {
  const endMs = performance.now() + SETTLE_MAX_MS
  for (let failures = 0; ; failures += 1) {
    try {
      await session.query('UPDATE node SET dead = true WHERE node_id = $1 AND NOT dead', [nodeId])
      return
    } catch (error) {
      if (!isStoreTrouble(error)) throw error
      if (performance.now() > endMs) throw notJoined(error)
      await pause(withHalfJitter(backOffMs(failures, RETRY_MIN_MS, RETRY_MAX_MS)))
    }
  }
}

/** This node among the others of the cluster. */
export class Membership {
  readonly #self: { readonly incarnation: Incarnation; readonly nodeId: NodeId }
  readonly #node: ClusterNode
  readonly #endReason: () => EndReason | undefined

  /** `endReason`: undefined until this node has ended. */
  constructor(
    self: { readonly incarnation: Incarnation; readonly nodeId: NodeId },
    node: ClusterNode,
    endReason: () => EndReason | undefined,
  ) {
    this.#self = self
    this.#node = node
    this.#endReason = endReason
  }

  get hasEnded(): boolean {
    return this.#endReason() !== undefined
  }

  /** Returns the nodes that are not dead, this one included. */
  living(): readonly NodeRow[] {
    return this.#node.nodes().filter(({ isDead }) => !isDead)
  }

  others(): readonly NodeRow[] {
    return this.living().filter(({ incarnation }) => incarnation !== this.#self.incarnation)
  }

  /** Tells whether another node takes shards. */
  hasTakers(): boolean {
    return this.others().some(({ isDraining }) => !isDraining)
  }

  /**
   * Waits until this node is a member, every shard has an owner, and the shards of this node are ready. Returns as well when only the
   * first is true after a while.
   * @throws OperatorError
   */
  async settled(isReady: (shard: number) => boolean): Promise<void> {
    const endMs = performance.now() + SETTLE_MAX_MS
    for (;;) {
      this.#assertNotEnded()
      const isMember = this.living().some(({ incarnation }) => incarnation === this.#self.incarnation)
      if (isMember && this.#node.ownerless().length === 0 && this.#node.owned().every(isReady)) return
      if (performance.now() > endMs) {
        if (isMember) return
        throw notJoined()
      }
      await pause(LOOK_MS)
    }
  }

  /** Waits until this node has ended, or `isOver` returns true. */
  async ended(isOver: () => boolean = () => false): Promise<void> {
    while (!this.hasEnded && !isOver()) await pause(LOOK_MS)
  }

  #assertNotEnded(): void {
    const reason = this.#endReason()
    if (reason === undefined) return
    if (reason !== 'nameTaken') throw new OperatorError('This node was ended while it joined the cluster.')
    throw new OperatorError(
      `Another node of this cluster is named "${this.#self.nodeId}" and lives. Give this one another NODE_ID, or stop the other.`,
    )
  }
}

function notJoined(cause?: unknown): OperatorError {
  return new OperatorError('This node could not join the cluster: PostgreSQL or Redis did not answer in time.', {
    cause,
  })
}
