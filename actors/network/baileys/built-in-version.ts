import { DEFAULT_CONNECTION_CONFIG } from '@whiskeysockets/baileys'

/** Client version that the library reports unless a setting names another. */
export const builtInVersion: readonly number[] = DEFAULT_CONNECTION_CONFIG.version
