import { createCallLink, makeCall } from './make.js'
import { rejectCall } from './reject.js'
import { setCallSettings } from './set-settings.js'
import { showCallSettings } from './show-settings.js'

export const callOperations = [makeCall, createCallLink, rejectCall, setCallSettings, showCallSettings] as const
