import type { Route } from '../../route.js'
import { archiveChat } from './archive.js'
import { blockPerson } from './block.js'
import { listBlocked } from './blocklist.js'
import { checkNumbers } from './check.js'
import { deleteChat } from './delete.js'
import { tellChatDetails } from './details.js'
import { editLead } from './edit-lead.js'
import { chatEphemeral } from './ephemeral.js'
import { findChats } from './find.js'
import { labelChat } from './labels.js'
import { muteChat } from './mute.js'
import { showChatNotes } from './notes.js'
import { editChatNotes } from './notes-edit.js'
import { refreshChatNotes } from './notes-refresh.js'
import { giveChatPicture } from './picture.js'
import { pinChat } from './pin.js'
import { readChat } from './read.js'

/** Routes of the area, in the order of the documentation. */
export const chatRoutes: readonly Route[] = [
  editLead,
  findChats,
  tellChatDetails,
  giveChatPicture,
  checkNumbers,
  readChat,
  archiveChat,
  pinChat,
  muteChat,
  chatEphemeral,
  showChatNotes,
  editChatNotes,
  refreshChatNotes,
  labelChat,
  deleteChat,
  blockPerson,
  listBlocked,
]
