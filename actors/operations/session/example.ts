import type { PacingReport } from '../../../schemas/pacing.js'
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

export const examplePacing: PacingReport = {
  parked: 0,
  budget: { day: '2026-01-31', used: 0, left: null },
  nextSendAtMs: null,
  holds: [],
}
