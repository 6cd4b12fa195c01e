import type { Passkey } from './generated.js'
import type { PasskeyStatus } from './session.js'

const ADVICE: Readonly<Record<PasskeyStatus['state'], string>> = {
  none: 'No pairing of this instance asks for a passkey. Connect the instance and scan the QR or type the code first.',
  needs_passkey:
    'Sign the challenge with the passkey of the account: on https://web.whatsapp.com, by a browser extension or the developer console, since no other page may use that passkey. Send the result to POST /instance/passkey/response.',
  passkey_sent: 'Keep WhatsApp open on the phone; nothing else is to be done.',
  passkey_code:
    'Compare the code with the one that the phone shows. If they are the same, accept on the phone and call POST /instance/passkey/confirm; if not, call POST /instance/disconnect.',
  confirming: 'Keep WhatsApp open on the phone; nothing else is to be done.',
}

/** Returns the record of a pairing with a passkey for callers and events. */
export function passkeyRecord({ state, publicKey, untilMs, code }: PasskeyStatus): Passkey {
  return {
    state,
    publicKey: publicKey === null ? null : { ...publicKey },
    expires: untilMs === null ? null : new Date(untilMs).toISOString(),
    code,
    advice: ADVICE[state],
  }
}
