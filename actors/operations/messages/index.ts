import { markRead } from './mark-read.js'
import { presence } from './presence.js'
import { renewMedia } from './renew-media.js'

export const messageOperations = [markRead, presence, renewMedia] as const
