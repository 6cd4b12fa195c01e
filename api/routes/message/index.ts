import type { Route } from '../../route.js'
import { deleteMessage } from './delete.js'
import { downloadMessage } from './download.js'
import { editMessage } from './edit.js'
import { findMessages } from './find.js'
import { syncHistory } from './history-sync.js'
import { listReactions, listVotes, showMessageInfo } from './info.js'
import { keepMessage } from './keep.js'
import { markRead } from './markread.js'
import { pinMessage } from './pin.js'
import { showPresence } from './presence.js'
import { clearQueue } from './queue-clear.js'
import { tellQueue } from './queue-status.js'
import { reactToMessage } from './react.js'
import { listScheduled } from './scheduled.js'
import { cancelScheduled } from './scheduled-cancel.js'
import { editScheduled } from './scheduled-edit.js'
import { starMessage } from './star.js'
import { listViews } from './views.js'
import { votePoll } from './vote.js'

/** Routes of the area, in the order of the documentation. */
export const messageRoutes: readonly Route[] = [
  findMessages,
  markRead,
  reactToMessage,
  editMessage,
  deleteMessage,
  pinMessage,
  starMessage,
  keepMessage,
  votePoll,
  downloadMessage,
  syncHistory,
  tellQueue,
  clearQueue,
  listScheduled,
  editScheduled,
  cancelScheduled,
  showPresence,
  listViews,
  showMessageInfo,
  listVotes,
  listReactions,
]
