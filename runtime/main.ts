/** Starts a node in this process, or, with NODE_PROCESSES, the supervisor of several. */

const processes = process.env.NODE_PROCESSES?.trim() ?? ''
const isOne = processes === '' || processes === '1'
// Named when it runs, so that the supervisor never reads the program of a node.
await import(new URL(isOne ? './node-process.js' : './supervisor.js', import.meta.url).href)

export {}
