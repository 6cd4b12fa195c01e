import type { Tool } from '../tool.js'
import { accountStatus } from './account-status.js'
import { changeMessage } from './change-message.js'
import { chatNote } from './chat-note.js'
import { checkNumber } from './check-number.js'
import { findChats } from './find-chats.js'
import { getMedia } from './get-media.js'
import { messageReceipts } from './message-receipts.js'
import { postStatus } from './post-status.js'
import { react } from './react.js'
import { readMessages } from './read-messages.js'
import { scheduleMessage } from './schedule-message.js'
import { sendMessage } from './send-message.js'

/** All tools, in the order in which clients list them. */
export const tools: readonly Tool[] = [
  accountStatus,
  findChats,
  readMessages,
  getMedia,
  messageReceipts,
  chatNote,
  checkNumber,
  sendMessage,
  react,
  scheduleMessage,
  postStatus,
  changeMessage,
]
