/** The thread that parses large answers of servers that tenants name. */
import { parentPort } from 'node:worker_threads'
import { lowerThread } from '../../work/priority.js'
import type { JsonAnswer, JsonUse } from './json-use.js'
import { readJson } from './read-json.js'

export interface ToJsonWorker {
  readonly bytes: Uint8Array
  readonly use: JsonUse
}

lowerThread()
parentPort?.on('message', ({ bytes, use }: ToJsonWorker) => {
  parentPort?.postMessage(readJson(bytes, use) satisfies JsonAnswer)
})
