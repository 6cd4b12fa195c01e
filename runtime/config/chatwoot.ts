import type { SettingReader } from './reader.js'

export interface ChatwootSlice {
  /** `privateHosts` of `GuardOptions`, for calls of Chatwoot only. */
  readonly privateHosts: readonly string[]
}

export function readChatwoot(read: SettingReader): ChatwootSlice {
  return { privateHosts: read.list('CHATWOOT_PRIVATE_HOSTS') }
}
