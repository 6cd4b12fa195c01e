import { proto } from '@whiskeysockets/baileys'
import { isLidJid } from '../../../schemas/jid.js'
import { isUsername } from '../../../schemas/username.js'
import { findBytesFields } from './protobuf-fields.js'

/** A person in a part of the history, in the form of the library's contacts. */
export interface NamedAccount {
  readonly id: string
  readonly username: string
}

/** Field of the accounts in `HistorySync` (whatsmeow `waHistorySync`). The library decodes it and makes no contacts of it (7.0.0-rc14). */
const ACCOUNTS_FIELD = 18

/** Reads the usernames of people from an unpacked part of the history. What is no account is left out. */
export function readNamedAccounts(history: Uint8Array): readonly NamedAccount[] {
  return findBytesFields(history, ACCOUNTS_FIELD).flatMap(readAccount)
}

function readAccount(bytes: Uint8Array): readonly NamedAccount[] {
  try {
    const { lid, username, isUsernameDeleted } = proto.Account.decode(bytes)
    const id = lid?.includes('@') ? lid : `${lid ?? ''}@lid`
    return isLidJid(id) && isUsername(username) && isUsernameDeleted !== true ? [{ id, username }] : []
  } catch {
    return []
  }
}
