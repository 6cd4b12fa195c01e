import type { ILogger } from '@whiskeysockets/baileys/lib/Utils/logger.js'
import type { Logger } from 'pino'
import {
  type Acknowledgements,
  type LibraryAcknowledgement,
  type LibraryReceipt,
  NotByLibrary,
} from './acknowledgements/acknowledgements.js'
import type { SyncAction } from './app-state.js'
import type { StanzaRecording } from './recording/recording.js'
import { SENT_LINE } from './recording/recording.js'

/** Log line of `processSyncAction` for each change of app state (`Utils/chat-utils.js` of 7.0.0-rc14). Nothing else has the complete change. */
const SYNC_ACTION = 'processing sync action'

/** Log lines before an acknowledgement and a receipt are sent (`Socket/messages-recv.js` and `Socket/messages-send.js` of 7.0.0-rc14). */
const ACKNOWLEDGEMENT = 'sent ack'
const RECEIPT = 'sending receipt for messages'

/**
 * Makes the logger of the library. The library's log lines hold stanzas, keys and texts. Of warnings and errors it keeps the sentence and the
 * error's message, at debug level, and drops the rest. While a recording is under way, it gets the stanzas that the library sends. The
 * acknowledgements of the library are corrected on their way through its log.
 */
export function libraryLogger(
  logger: Logger,
  onSyncAction: (action: SyncAction, isFirst: boolean) => void = () => {},
  recording: () => Pick<StanzaRecording, 'sent'> | undefined = () => undefined,
  acknowledgements?: Pick<Acknowledgements, 'correct' | 'complete'>,
): ILogger {
  const report = (details: unknown, sentence?: string): void => {
    if (!logger.isLevelEnabled('debug') || isOurs(details)) return
    const text = typeof details === 'string' ? details : sentence
    const error =
      typeof details === 'object' && details !== null ? errorIn(details as Record<string, unknown>) : undefined
    logger.debug({ library: text, error }, 'The WhatsApp library reported something.')
  }
  const quiet: ILogger = {
    // The library writes stanzas to the log at this level only, because that is expensive.
    get level() {
      return recording() === undefined ? 'warn' : 'trace'
    },
    child: () => quiet,
    trace: (details: unknown, sentence?: string) => {
      if (sentence !== SYNC_ACTION) {
        const { msg, xml } = details as { msg?: unknown; xml?: unknown }
        if (msg === SENT_LINE && typeof xml === 'string') recording()?.sent(xml)
        return
      }
      const { syncAction, initialSync } = details as { syncAction: SyncAction; initialSync: boolean }
      onSyncAction(syncAction, initialSync)
    },
    // Called before the stanza is encoded, with its own attributes.
    debug: (details: unknown, sentence?: string) => {
      if (sentence === ACKNOWLEDGEMENT) acknowledgements?.correct(details as LibraryAcknowledgement)
      else if (sentence === RECEIPT) acknowledgements?.complete(details as LibraryReceipt)
    },
    info: () => {},
    warn: report,
    error: report,
  }
  return quiet
}

/** Returns whether the library reports that we have stopped its acknowledgement. */
function isOurs(details: unknown): boolean {
  return (details as { ackErr?: unknown } | null)?.ackErr instanceof NotByLibrary
}

function errorIn(details: Record<string, unknown>): string | undefined {
  for (const value of [details.err, details.error, details.e, details]) if (value instanceof Error) return value.message
  return undefined
}

/**
 * Drops and counts all lines on the console: libsignal prints sessions with their private keys there (`session_record.js` of 6.0.0). Our own
 * lines do not use the console.
 */
export function silenceConsole(onLine: () => void): void {
  for (const method of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const) console[method] = onLine
}
