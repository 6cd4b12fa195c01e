import { errorText } from '../../lib/error-text.js'
import { failed, type Result } from './finding.js'

// Ours: answers of our own stores and settings.

/** Explains why a server was not reached. `settings`: the names of the settings that lead to it. */
export function connectionFailure(error: unknown, target: string, settings: string): Result {
  const code = findInnermostCode(error)
  const text = `${target} was not reached: ${withoutUrls(errorText(innermost(error))) || code}`
  return failed(text, remedyFor(code, settings))
}

function remedyFor(code: string, settings: string): string {
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The name does not resolve. Check ${settings}, and the DNS of this machine (/etc/resolv.conf).`
    case 'ECONNREFUSED':
      return `Nothing listens there. Start the server, or correct ${settings}.`
    case 'ECONNRESET':
    case 'EPIPE':
      return `The other side hung up: it may want TLS, or none. Check ${settings}.`
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `Packets do not arrive. Check ${settings}, firewalls and network policies.`
    default:
      if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code))
        return `The certificate is not trusted. Name its authority, or correct the host name, in ${settings}.`
      return `Check ${settings}.`
  }
}

/** Returns the code of an error, of its cause, or of the last of several attempts. */
export function findInnermostCode(error: unknown): string {
  const { code } = innermost(error) as { code?: unknown }
  return typeof code === 'string' ? code : ''
}

function innermost(error: unknown): unknown {
  if (error instanceof AggregateError && error.errors.length > 0) return innermost(error.errors.at(-1))
  const { cause, code } = (error ?? {}) as { cause?: unknown; code?: unknown }
  return typeof code !== 'string' && cause instanceof Error ? innermost(cause) : error
}

/** Removes URLs with credentials, which some libraries repeat in their errors. */
function withoutUrls(text: string): string {
  return text.replace(/[a-z]{1,20}:\/\/[^\s/]{0,500}@/gi, '…@')
}
