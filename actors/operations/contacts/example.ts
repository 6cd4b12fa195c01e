import type { Jid } from '../../../schemas/ids.js'

/** A person, for the examples of operations. */
export const exampleJid = '5511999990002@s.whatsapp.net' as Jid
