import { cancelScheduled } from './cancel-scheduled.js'
import { queueClear } from './queue-clear.js'
import { queueStatus } from './queue-status.js'
import { reschedule } from './reschedule.js'
import { revise } from './revise.js'
import { schedule } from './schedule.js'
import { send } from './send.js'
import { sendStatus } from './send-status.js'
import { statusViews } from './status-views.js'

export const sendOperations = [
  cancelScheduled,
  queueClear,
  queueStatus,
  reschedule,
  revise,
  schedule,
  send,
  sendStatus,
  statusViews,
] as const
