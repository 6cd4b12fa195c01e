import type { Boom } from '@hapi/boom'
import { DEFAULT_CONNECTION_CONFIG } from '@whiskeysockets/baileys'

/**
 * Returns the code of the system, of TLS or of the websocket for an error of the socket. Returns null when the connection ended otherwise
 * (Baileys `mapWebSocketError`).
 */
export function failureOfSocket(error: Boom | undefined): string | null {
  const failure: unknown = error?.data
  if (!(failure instanceof Error) || !error?.message.startsWith('WebSocket Error')) return null
  const { code, message } = failure as NodeJS.ErrnoException
  return code ?? message
}

/** Names the host with which the failure was met. Without an URL it is the real network. */
export function failureAtHost(websocketUrl: string | undefined, failure: string): string {
  const url = websocketUrl ?? String(DEFAULT_CONNECTION_CONFIG.waWebSocketUrl)
  return `${new URL(url).host}: ${failure}`
}
