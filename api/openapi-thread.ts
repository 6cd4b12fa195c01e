import { Worker } from 'node:worker_threads'
import type { TextForms } from './answers/encoded-text.js'

const TIMEOUT_MS = 60_000

/** Returns the OpenAPI document, which a thread makes in about a second. @throws Error if the thread fails */
export async function makeOpenApi(): Promise<TextForms> {
  // Secrets of the installation are in the environment.
  const worker = new Worker(new URL('./openapi-worker.js', import.meta.url), { env: {} })
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<TextForms>((resolve, reject) => {
      timer = setTimeout(
        () => reject(new Error('The thread that makes the OpenAPI document took too long.')),
        TIMEOUT_MS,
      )
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', () => reject(new Error('The thread that makes the OpenAPI document ended without it.')))
    })
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
