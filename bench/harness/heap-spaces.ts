/** Loaded into a measured process before its program (`--import`): told SIGUSR2, it prints the spaces of V8's heap as they are, without a collection. */
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8'
import { isMainThread } from 'node:worker_threads'

export interface HeapSpaces {
  /** Resident bytes of each space of the main thread. */
  readonly spaces: Readonly<Record<string, number>>
  readonly usedBytes: number
  readonly externalBytes: number
  /** Memory of V8 outside of its heap: of the compiler, for example. */
  readonly mallocBytes: number
}

if (isMainThread)
  process.on('SIGUSR2', () => {
    const { used_heap_size, external_memory, malloced_memory } = getHeapStatistics()
    const heap: HeapSpaces = {
      spaces: Object.fromEntries(
        getHeapSpaceStatistics().map(({ space_name, physical_space_size }) => [space_name, physical_space_size]),
      ),
      usedBytes: used_heap_size,
      externalBytes: external_memory,
      mallocBytes: malloced_memory,
    }
    process.stdout.write(`${JSON.stringify({ heap })}\n`)
  })
