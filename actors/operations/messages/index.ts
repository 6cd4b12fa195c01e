import { markRead } from './mark-read.js'
import { pinMessage } from './pin.js'
import { presence } from './presence.js'
import { renewMedia } from './renew-media.js'

export const messageOperations = [markRead, pinMessage, presence, renewMedia] as const
