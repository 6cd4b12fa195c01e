import { DEFAULT_CONNECTION_CONFIG } from '@whiskeysockets/baileys'
import type { ClientVersion } from '../port/client-version.js'

/** Version of the web client that the library carries. */
export const builtInVersion: ClientVersion = DEFAULT_CONNECTION_CONFIG.version
