// Bound: 500, longer names are not compared.

/**
 * Returns how many letters must be added, removed, changed or swapped with a neighbour to make one text of the other (optimal string
 * alignment). Costs the product of both lengths: callers bound what they compare.
 */
export function distanceBetween(a: string, b: string): number {
  const rows: number[][] = Array.from({ length: a.length + 1 }, (_, i) => [i])
  for (let j = 0; j <= b.length; j += 1) rows[0]![j] = j
  for (let i = 1; i <= a.length; i += 1) {
    for (let j = 1; j <= b.length; j += 1) {
      const changed = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      let cost = Math.min(rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, changed)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, rows[i - 2]![j - 2]! + 1)
      }
      rows[i]![j] = cost
    }
  }
  return rows[a.length]![b.length]!
}

/** Returns the name that was probably meant, without regard to case, `_` and `-`; undefined if none is near. */
export function findNearest(name: string, names: Iterable<string>): string | undefined {
  if (name.length > 500) return undefined
  const given = plain(name)
  if (given === '' || given.length > 60) return undefined
  let best: { name: string; distance: number } | undefined
  for (const candidate of names) {
    const other = plain(candidate)
    const tolerated = Math.max(1, Math.floor(Math.min(given.length, other.length) / 4))
    // A field without its prefix (`isPinned` for `wa_isPinned`) is near as well.
    const isPart = given.length >= 4 && (other.endsWith(given) || given.endsWith(other))
    const changes = distanceBetween(given, other)
    const distance = isPart ? Math.min(changes, tolerated) : changes
    if (distance <= tolerated && (best === undefined || distance < best.distance)) best = { name: candidate, distance }
  }
  return best?.name
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '')
}
