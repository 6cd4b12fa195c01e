import { markRead } from './mark-read.js'
import { pinMessage } from './pin.js'
import { presence } from './presence.js'
import { renewMedia } from './renew-media.js'
import { requestHistory } from './request-history.js'
import { starMessage } from './star.js'

export const messageOperations = [markRead, pinMessage, presence, renewMedia, requestHistory, starMessage] as const
