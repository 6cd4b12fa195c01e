import { connect } from './connect.js'
import { deleteInstance } from './delete.js'
import { disconnect } from './disconnect.js'
import { pauseInstance } from './pause.js'
import { reset } from './reset.js'
import { status } from './status.js'

export const sessionOperations = [connect, deleteInstance, disconnect, pauseInstance, reset, status] as const
