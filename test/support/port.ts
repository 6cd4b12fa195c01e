import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * A free port below those that the system gives to outgoing connections: who listens on it can be ended and started again, and nobody
 * has taken it meanwhile.
 */
export async function lastingPort(): Promise<number> {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 15_000)
    const server = createServer()
    try {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
      return port
    } catch {
      // Somebody has it.
    } finally {
      server.close()
    }
  }
}
