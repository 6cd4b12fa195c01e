import { isatty } from 'node:tty'
import {
  type DestinationStream,
  type Logger,
  type LoggerOptions,
  destination as openDestination,
  pino,
  stdSerializers,
} from 'pino'
import type { LoggingConfig } from './config/watching.js'
import { readableStack } from './readable-stack.js'

export type { Logger } from 'pino'

/** Fields that never reach a log, at the top level and two levels below it. */
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

/**
 * Fields of errors that are logged. Others may hold what people wrote: PostgreSQL puts the refused row into `detail`, and clients of providers the
 * whole prompt into theirs.
 */
const errorFields = new Set([
  ...[
    'type',
    'message',
    'stack',
    'code',
    'errno',
    'syscall',
    'address',
    'port',
    'hostname',
    'kind',
    'status',
    'statusCode',
  ],
  ...['severity', 'schema', 'table', 'column', 'constraint', 'routine'],
])

const options: LoggerOptions = {
  base: null,
  timestamp: () => `,"time":"${new Date().toISOString()}"`,
  formatters: { level: (label) => ({ level: label }) },
  serializers: { err: loggedError },
  redact: {
    paths: secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
    censor: '[redacted]',
  },
}

const STDOUT = 1

/**
 * Creates the logger of the process: one JSON object per line, unless `destination` writes it otherwise. Parts take `logger.child({ part: 'webhooks' })`.
 * @param fields Fields of every line.
 * A line is a fixed sentence with fields. Fields that name a secret are replaced by `[redacted]`.
 */
export function createLogger(
  config: LoggingConfig,
  destination?: DestinationStream,
  fields: Readonly<Record<string, unknown>> | null = null,
): Logger {
  const all = { ...options, base: fields, level: config.level }
  return pino(all, destination ?? openStdout())
}

/** A terminal that was closed takes no lines. Without a listener, the next call of a logger would throw, and the process would not end in order. */
function openStdout(): ReturnType<typeof openDestination> {
  return openDestination({ dest: STDOUT, sync: true }).on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EIO') throw error
  })
}

function loggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error)
  const said = stdSerializers.err(error)
  const fields = Object.entries({ ...said, stack: readableStack(said.stack) }).filter(([name]) => errorFields.has(name))
  const several = error instanceof AggregateError ? { aggregateErrors: error.errors.map(loggedError) } : {}
  return { ...Object.fromEntries(fields), ...several }
}

/** Returns true if log lines are for people. */
export function isPretty({ format }: LoggingConfig): boolean {
  return (format ?? (isatty(STDOUT) ? 'pretty' : 'json')) === 'pretty'
}

/**
 * Returns the destination of log lines: lines for people on a terminal, undefined (JSON to standard output) elsewhere, or as LOG_FORMAT says.
 * Loads the formatter of lines for people only when it is needed.
 */
export async function logDestination(config: LoggingConfig): Promise<DestinationStream | undefined> {
  if (!isPretty(config)) return undefined
  const [{ readableLines }, pretty] = await Promise.all([import('./readable-lines.js'), import('pino-pretty')])
  const toText = readableLines({ pretty, isTerminal: isatty(STDOUT) })
  const out = openStdout()
  return { write: (line) => void out.write(toText(line)) }
}
