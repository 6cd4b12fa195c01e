import type { OpenPairingLinkReply, OpenPairingLinkRequest } from '../../../schemas/generated.js'
import { passRecord } from '../../answers/pass-record.js'
import { instanceRoute } from '../../route.js'

const LIFE_SECONDS = 900

export const openPairingLink = instanceRoute<OpenPairingLinkRequest>({
  method: 'POST',
  path: '/instance/pairinglink',
  name: 'openPairingLink',
  area: 'Passes',
  scope: 'token',
  audited: true,
  summary:
    'Make a link for the person with the phone: it works once, shows the QR or code of this instance, and nothing else',
  schema: 'pass/pairing-link.json',
  idempotent: 'kept',
  errors: ['TOO_MANY_PASSES', 'INSTANCE_NOT_FOUND'],
  async handle({ instance, body, credential, note }, { ports }): Promise<OpenPairingLinkReply> {
    const lifeMs = (body.expiresInSeconds ?? LIFE_SECONDS) * 1_000
    const { pass, code } = await ports.passes.openPairing(credential, instance.id, lifeMs)
    note.pass = pass.id
    return { pass: passRecord(pass), code, path: `/dashboard/#pair=${code}` }
  },
})
