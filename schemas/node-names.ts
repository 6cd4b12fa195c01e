/** Names of the nodes of one machine that runs several processes (NODE_PROCESSES). */

/** Separates the name of the machine from the number of the process. NODE_ID cannot contain it. */
const SEPARATOR = '~'

/** @param machine NODE_ID, or the name of the host */
export function processNodeId(machine: string, index: number): string {
  return `${machine}${SEPARATOR}${index}`
}

/** Returns true for the name itself and for the processes of a machine of that name. */
export function matchesNode(nodeId: string, name: string): boolean {
  return nodeId === name || nodeId.startsWith(`${name}${SEPARATOR}`)
}
