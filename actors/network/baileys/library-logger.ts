import type { ILogger } from '@whiskeysockets/baileys/lib/Utils/logger.js'
import type { Logger } from 'pino'
import type { SyncAction } from './app-state.js'

// What `processSyncAction` says of each change of app state before it makes an event of it (`Utils/chat-utils.js` of 7.0.0-rc14): the only
// place where the whole of it can be seen.
const SYNC_ACTION = 'processing sync action'

/**
 * The library's log lines hold stanzas, keys and texts. Of warnings and errors the sentence and the error's own message are kept, at
 * debug level; the rest is dropped.
 */
export function libraryLogger(
  logger: Logger,
  onSyncAction: (action: SyncAction, isFirst: boolean) => void = () => {},
): ILogger {
  const told = (details: unknown, sentence?: string): void => {
    if (!logger.isLevelEnabled('debug')) return
    const text = typeof details === 'string' ? details : sentence
    const error =
      typeof details === 'object' && details !== null ? errorIn(details as Record<string, unknown>) : undefined
    logger.debug({ library: text, error }, 'The network library reported something.')
  }
  const quiet: ILogger = {
    level: 'warn',
    child: () => quiet,
    trace: (details: unknown, sentence?: string) => {
      if (sentence !== SYNC_ACTION) return
      const { syncAction, initialSync } = details as { syncAction: SyncAction; initialSync: boolean }
      onSyncAction(syncAction, initialSync)
    },
    debug: () => {},
    info: () => {},
    warn: told,
    error: told,
  }
  return quiet
}

function errorIn(details: Record<string, unknown>): string | undefined {
  for (const value of [details.err, details.error, details.e, details]) if (value instanceof Error) return value.message
  return undefined
}

/**
 * libsignal prints sessions with their private keys through `console` (`session_record.js` of 6.0.0). Our own lines do not go through it, so
 * everything there is dropped and counted.
 */
export function silenceConsole(onLine: () => void): void {
  for (const method of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const) console[method] = onLine
}
