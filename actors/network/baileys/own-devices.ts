import { areJidsSameUser, isLidUser } from '@whiskeysockets/baileys'
import { bareJid } from '../../../schemas/jid.js'

export interface OwnAddresses {
  readonly jid: string
  readonly lid: string | null
}

/** Returns whether a device belongs to this account. */
export function isOfAccount(device: string, { jid, lid }: OwnAddresses): boolean {
  const one = bareJid(device)
  return areJidsSameUser(one, (isLidUser(one) ? lid : jid) ?? undefined)
}
