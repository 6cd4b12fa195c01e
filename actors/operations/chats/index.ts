import { deleteChat } from './delete.js'
import { chatDetails } from './details.js'
import { editLead } from './edit-lead.js'
import { labelChat } from './label.js'
import { editNote, refreshNote, showNote } from './notes.js'
import { chatPicture } from './picture.js'
import { readChat } from './read.js'
import { setChat } from './set.js'
import { setDisappearing } from './set-disappearing.js'

export const chatOperations = [
  chatDetails,
  chatPicture,
  deleteChat,
  editLead,
  editNote,
  labelChat,
  readChat,
  refreshNote,
  setChat,
  setDisappearing,
  showNote,
] as const
