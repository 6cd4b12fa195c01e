/** Plans the node of each shard: moves the fewest, so that no node has two more than another. */

// Ours: shards and nodes of the cluster.

export interface PlanMember {
  readonly name: string
  /**
   * `open`: gives and receives. `keeps`: neither (an older version, or one that may be dying). `empties`: gives all it has (draining).
   */
  readonly kind: 'open' | 'keeps' | 'empties'
}

/**
 * Returns the name of the member that should have each shard, null where no member can.
 * A pure function of its input, so that every node gets the same plan; the order of `members` does not count.
 * @param current the name of the node that has each shard now; null, or a name that is no member's, when none has.
 */
export function plan(current: readonly (string | null)[], members: readonly PlanMember[]): readonly (string | null)[] {
  const kinds = new Map(members.map((member) => [member.name, member.kind]))
  const shardsByNode = new Map<string, number[]>(
    members.filter((member) => member.kind === 'open').map((member) => [member.name, []]),
  )
  const target: (string | null)[] = current.map((name) => (name !== null && kinds.has(name) ? name : null))
  if (shardsByNode.size === 0) return target

  const homeless: number[] = []
  for (const [shard, name] of target.entries()) {
    const kind = name === null ? undefined : kinds.get(name)
    if (kind === 'open') shardsByNode.get(name!)!.push(shard)
    else if (kind !== 'keeps') homeless.push(shard)
  }

  const quotas = computeQuotas(shardsByNode, homeless.length)
  for (const [name, shards] of shardsByNode) homeless.push(...shards.splice(quotas.get(name)!))
  homeless.sort((a, b) => a - b)

  // The member that lacks most comes first, so that the shards of a dead node spread over all.
  const lacking = [...shardsByNode].map(([name, shards]) => ({ name, lacks: quotas.get(name)! - shards.length }))
  for (const shard of homeless) {
    const neediest = lacking.reduce((best, one) => (precedes(one, best) ? one : best))
    neediest.lacks -= 1
    target[shard] = neediest.name
  }
  return target
}

/** Returns the number of shards for each member. Members with most shards get the odd ones, so that the fewest move. */
function computeQuotas(
  shardsPerNode: ReadonlyMap<string, readonly number[]>,
  homeless: number,
): ReadonlyMap<string, number> {
  let total = homeless
  for (const shards of shardsPerNode.values()) total += shards.length
  const base = Math.floor(total / shardsPerNode.size)
  const odd = total % shardsPerNode.size
  const names = [...shardsPerNode]
    .sort(([a, mine], [b, theirs]) => theirs.length - mine.length || compare(a, b))
    .map(([name]) => name)
  return new Map(names.map((name, index) => [name, base + (index < odd ? 1 : 0)]))
}

function precedes(a: { name: string; lacks: number }, b: { name: string; lacks: number }): boolean {
  return a.lacks > b.lacks || (a.lacks === b.lacks && compare(a.name, b.name) < 0)
}

/** Compares by code units, not by `localeCompare`: two nodes may have two locales. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
