/** Compares a vector with many. All are normalised, so that the product is the cosine. */

// Bound: 2,000, hits that are kept at most.

/** Vectors of an entry, one after the other. The memory can be read by threads. */
export interface VectorMatrix {
  readonly buffer: SharedArrayBuffer
  readonly rows: number
}

export interface VectorHit {
  readonly matrix: number
  readonly row: number
  readonly score: number
}

/** Returns the best rows, the best first. */
export function bestRows(matrices: readonly VectorMatrix[], query: Float32Array, limit: number): VectorHit[] {
  const best: VectorHit[] = []
  let least = Number.NEGATIVE_INFINITY
  for (const [matrix, { buffer, rows }] of matrices.entries()) {
    const values = new Float32Array(buffer)
    for (let row = 0; row < rows; row += 1) {
      const score = product(values, row * query.length, query)
      if (score <= least) continue
      best.push({ matrix, row, score })
      if (best.length < 2 * limit) continue
      shorten(best, limit)
      least = best.at(-1)?.score ?? least
    }
  }
  shorten(best, limit)
  return best
}

function shorten(best: VectorHit[], limit: number): void {
  best.sort((a, b) => b.score - a.score)
  best.length = Math.min(best.length, limit)
}

/** Adds four products at a time: the additions of one sum wait for each other. Sums made by a destructured array take twice as long. */
function product(values: Float32Array, offset: number, query: Float32Array): number {
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  const length = query.length - (query.length % 4)
  let index = 0
  for (; index < length; index += 4) {
    const at = offset + index
    a += (values[at] as number) * (query[index] as number)
    b += (values[at + 1] as number) * (query[index + 1] as number)
    c += (values[at + 2] as number) * (query[index + 2] as number)
    d += (values[at + 3] as number) * (query[index + 3] as number)
  }
  for (; index < query.length; index += 1) a += (values[offset + index] as number) * (query[index] as number)
  return a + b + c + d
}
