import { answerPasskey } from './answer-passkey.js'
import { confirmPasskey } from './confirm-passkey.js'
import { connect } from './connect.js'
import { deleteInstance } from './delete.js'
import { disconnect } from './disconnect.js'
import { health } from './health.js'
import { showLimits } from './limits.js'
import { passkey } from './passkey.js'
import { pauseInstance } from './pause.js'
import { readRecording } from './read-recording.js'
import { recordStanzas } from './record-stanzas.js'
import { renewRoute } from './renew-route.js'
import { reset } from './reset.js'
import { setPresence } from './set-presence.js'
import { status } from './status.js'
import { startInstance, stopInstance } from './stop.js'
import { updateDelays } from './update-delays.js'

export const sessionOperations = [
  connect,
  deleteInstance,
  disconnect,
  startInstance,
  stopInstance,
  pauseInstance,
  readRecording,
  recordStanzas,
  renewRoute,
  reset,
  status,
  passkey,
  answerPasskey,
  confirmPasskey,
  health,
  showLimits,
  setPresence,
  updateDelays,
] as const
