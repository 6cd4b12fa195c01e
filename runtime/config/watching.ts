import type { SettingReader } from './reader.js'

export interface LoggingConfig {
  readonly level: string
  /** If undefined, lines are for people when standard output is a terminal. */
  readonly format?: 'json' | 'pretty' | undefined
}

export interface MetricsConfig {
  readonly token: string | undefined
}

export function readLogging(read: SettingReader): LoggingConfig {
  return {
    level: read.text('LOG_LEVEL'),
    format: read.optionalText('LOG_FORMAT') as LoggingConfig['format'],
  }
}

export function readMetrics(read: SettingReader): MetricsConfig {
  return { token: read.optionalText('METRICS_TOKEN') }
}
