import { queueClear } from './queue-clear.js'
import { queueStatus } from './queue-status.js'
import { revise } from './revise.js'
import { send } from './send.js'

export const sendOperations = [queueClear, queueStatus, revise, send] as const
