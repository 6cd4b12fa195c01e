import type { MinuteReading, NodeReadings, ReadingDirectory } from '../../schemas/ports/cluster.js'
import type { Incarnation, NodeRow } from './ownership/protocol.js'

// Ours: the nodes of the cluster.

export interface NodeReadingsOptions {
  /** This node. */
  readonly incarnation: Incarnation
  readonly own: () => readonly MinuteReading[]
  /** Returns the nodes that are not dead, this one included. */
  readonly nodes: () => readonly NodeRow[]
  /** Never rejects, and takes a limited time. */
  readonly ask: (address: string) => Promise<readonly MinuteReading[] | null>
}

/** Time for which readings are answered again. */
const KEPT_MS = 5_000
/** Maximum of nodes that are asked. */
const NODES_MAX = 100

/** Asks the other nodes when an administrator looks, and only then. A node asks for all its callers together. */
export function createNodeReadings({ incarnation, own, nodes, ask }: NodeReadingsOptions): ReadingDirectory {
  let reading: Promise<readonly NodeReadings[]> | undefined
  let untilMs = 0

  return {
    read() {
      if (reading === undefined || performance.now() >= untilMs) {
        untilMs = Number.POSITIVE_INFINITY
        reading = readAll().finally(() => {
          untilMs = performance.now() + KEPT_MS
        })
      }
      return reading
    },
  }

  function readAll(): Promise<readonly NodeReadings[]> {
    const asked = nodes()
      .toSorted((one, other) => (one.nodeId < other.nodeId ? -1 : 1))
      .slice(0, NODES_MAX)
    return Promise.all(
      asked.map(async (node) => ({
        nodeId: node.nodeId,
        incarnation: node.incarnation,
        minutes: node.incarnation === incarnation ? own() : await ask(node.address),
      })),
    )
  }
}
