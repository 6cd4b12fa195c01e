import { LRUCache } from 'lru-cache'
import type { InstanceId } from '../../../schemas/ids.js'
import type { KnowledgeReader, SearchableEntry, StoredVector } from '../../store/agents/knowledge-reader.js'
import type { VectorMatrix } from './cosine.js'

/** Vectors of an entry, and the positions of their chunks. */
export interface EntryVectors extends VectorMatrix {
  readonly entry: string
  readonly positions: readonly number[]
}

export interface VectorCache {
  /** Returns the vectors of these entries, from memory or the store. Leaves out those of another length. */
  of(instance: InstanceId, entries: readonly SearchableEntry[], dimensions: number): Promise<readonly EntryVectors[]>
}

/** Of all instances on this node. 10,000 chunks with 512 dimensions take 20 MiB. */
const CACHE_MAX_BYTES = 128 * 2 ** 20
/** Vectors of one statement: 2,000 with 512 dimensions are 4 MiB, and twice that on the wire. */
const ROWS_AT_ONCE = 2_000

/** Keeps vectors in memory, by the generation of their entry: an edit makes other ones. */
export function createVectorCache(reader: Pick<KnowledgeReader, 'vectors'>, maxBytes = CACHE_MAX_BYTES): VectorCache {
  const kept = new LRUCache<string, EntryVectors>({
    maxSize: maxBytes,
    sizeCalculation: ({ buffer, positions }) => buffer.byteLength + 8 * positions.length + 200,
  })
  return {
    async of(instance, entries, dimensions) {
      const keyOf = ({ id, generation, space }: SearchableEntry) => `${instance} ${id} ${generation} ${space}`
      const found = new Map(entries.map((entry) => [entry.id, kept.get(keyOf(entry))]))
      for (const batch of batches(entries.filter(({ id }) => found.get(id) === undefined))) {
        const rows = grouped(await reader.vectors(instance, batch))
        for (const entry of batch) {
          const vectors = matrixOf(entry.id, rows.get(entry.id) ?? [], dimensions)
          kept.set(keyOf(entry), vectors)
          found.set(entry.id, vectors)
        }
      }
      return [...found.values()].filter((one) => one !== undefined && one.rows > 0) as EntryVectors[]
    },
  }
}

function grouped(rows: readonly StoredVector[]): Map<string, StoredVector[]> {
  const groups = new Map<string, StoredVector[]>()
  for (const row of rows) {
    const group = groups.get(row.entry)
    if (group === undefined) groups.set(row.entry, [row])
    else group.push(row)
  }
  return groups
}

function batches(entries: readonly SearchableEntry[]): SearchableEntry[][] {
  const all: SearchableEntry[][] = []
  let rows = Number.POSITIVE_INFINITY
  for (const entry of entries) {
    if (rows + entry.chunks > ROWS_AT_ONCE) {
      all.push([])
      rows = 0
    }
    all.at(-1)?.push(entry)
    rows += entry.chunks
  }
  return all
}

function matrixOf(entry: string, stored: readonly StoredVector[], dimensions: number): EntryVectors {
  const fitting = stored.filter(({ vector }) => vector.length === 4 * dimensions)
  const buffer = new SharedArrayBuffer(fitting.length * 4 * dimensions)
  const bytes = new Uint8Array(buffer)
  for (const [row, { vector }] of fitting.entries()) bytes.set(vector, row * 4 * dimensions)
  return { entry, buffer, rows: fitting.length, positions: fitting.map(({ position }) => position) }
}
