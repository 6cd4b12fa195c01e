import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import type { LoggingConfig } from './config.js'

export type { Logger } from 'pino'

/** Fields that never reach a log, at the top level and two levels below. */
const secretFields = [
  'token',
  'admintoken',
  'adminToken',
  'authorization',
  'cookie',
  'secret',
  'password',
  'encryptionKey',
  'clusterSecret',
  'connectionString',
  'keys',
  'creds',
  'privateKey',
]

const options: LoggerOptions = {
  base: null,
  timestamp: () => `,"time":"${new Date().toISOString()}"`,
  formatters: { level: (label) => ({ level: label }) },
  redact: {
    paths: secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
    censor: '[redacted]',
  },
}

/**
 * The logger of the process: one JSON object per line. Parts take `logger.child({ part: 'webhooks' })`.
 * A line is a fixed sentence with fields; fields that name a secret are replaced by `[redacted]`.
 */
export function createLogger(config: LoggingConfig, destination?: DestinationStream): Logger {
  const all = { ...options, level: config.level }
  return destination === undefined ? pino(all) : pino(all, destination)
}
