import type { ProxyStage } from '../../../schemas/session.js'

/**
 * A proxy could not be used. The message is for people: it names the proxy by host and port, never by user or password.
 * `cause` is left out on purpose: errors of libraries hold the credentials.
 */
export class ProxyFailure extends Error {
  readonly code = 'PROXY_FAILED'
  readonly stage: ProxyStage

  constructor(stage: ProxyStage, message: string) {
    super(message)
    this.name = 'ProxyFailure'
    this.stage = stage
  }
}

/** Returns the failure of a proxy behind an error; null if the error has another reason. */
export function proxyFailureIn(error: unknown): ProxyFailure | null {
  let inner: unknown = error
  for (let depth = 0; depth < 5 && inner instanceof Error; depth += 1) {
    if (inner instanceof ProxyFailure) return inner
    inner = inner.cause
  }
  return null
}
