import { keepMessage } from './keep.js'
import { markRead } from './mark-read.js'
import { pinMessage } from './pin.js'
import { presence } from './presence.js'
import { setReadingSettings, showReadingSettings } from './reading-settings.js'
import { renewMedia } from './renew-media.js'
import { requestHistory } from './request-history.js'
import { starMessage } from './star.js'
import { votePoll } from './vote.js'

export const messageOperations = [
  keepMessage,
  markRead,
  pinMessage,
  presence,
  renewMedia,
  requestHistory,
  setReadingSettings,
  showReadingSettings,
  starMessage,
  votePoll,
] as const
