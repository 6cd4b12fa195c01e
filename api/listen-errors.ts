/** Explains in one sentence why a server cannot listen on an address, and what to do. */
import { createServer } from 'node:net'
import { OperatorError } from '../schemas/operator-error.js'

export interface ListenAddress {
  readonly host: string
  readonly port: number
  /** Names of their settings. */
  readonly hostSetting: string
  readonly portSetting: string
}

/**
 * Listens for a moment and stops, so that a mistake is reported before the node joins a cluster and takes work from others.
 * @throws OperatorError
 */
export async function checkAddress(address: ListenAddress): Promise<void> {
  const { host, port } = address
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ host, port, exclusive: true }, resolve)
    })
  } catch (error) {
    throw asOperatorError(error, address)
  }
  await new Promise((resolve) => server.close(resolve))
}

/** Returns the error itself if it is of no known kind. */
function asOperatorError(error: unknown, { host, port, hostSetting, portSetting }: ListenAddress): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new OperatorError(
        `Port ${port} of ${host} is taken by another process. Stop it, or set ${portSetting} to a free port.`,
      )
    case 'EACCES':
      return new OperatorError(`Port ${port} may not be used by this user. Set ${portSetting} to a port above 1023.`)
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EADDRNOTAVAIL':
      return new OperatorError(
        `${hostSetting}=${host} is not an address of this machine. Use 127.0.0.1 for this machine alone, or 0.0.0.0 for all addresses.`,
      )
    default:
      return error
  }
}
