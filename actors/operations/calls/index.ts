import { rejectCall } from './reject.js'

export const callOperations = [rejectCall] as const
