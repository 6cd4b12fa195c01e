/** Preloaded into a gateway (`--import`): SIGUSR2 blocks its event loop for a while. */
import { isMainThread } from 'node:worker_threads'

const BLOCKED_MS = 4_000

function blockEventLoop(): void {
  const untilMs = performance.now() + BLOCKED_MS
  while (performance.now() < untilMs);
}

if (isMainThread) process.on('SIGUSR2', blockEventLoop)
