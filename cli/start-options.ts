/** Options of Node.js for a gateway, which `npm start` and the image give it too. */
export const START_OPTIONS: readonly string[] = [
  '--min-semi-space-size=4',
  '--max-semi-space-size=16',
  '--initial-old-space-size=40',
]

/** Variables for the allocator of the system, which reads them before the program runs. */
export const START_ENVIRONMENT: Readonly<Record<string, string>> = { MALLOC_ARENA_MAX: '2' }
