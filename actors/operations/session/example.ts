import type { LiveStatus } from '../../../schemas/session.js'

/** A connected instance, for the examples of operations. */
export const exampleStatus: LiveStatus = {
  status: 'connected',
  state: 'connected',
  connected: true,
  loggedIn: true,
  jid: '5511999990001:1@s.whatsapp.net',
  qrcodeText: null,
  paircode: null,
  reason: null,
  health: null,
  route: { via: 'none', failure: null, sinceMs: null },
}
