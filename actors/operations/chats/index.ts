import { deleteChat } from './delete.js'
import { chatDetails } from './details.js'
import { editLead } from './edit-lead.js'
import { labelChat } from './label.js'
import { chatPicture } from './picture.js'
import { readChat } from './read.js'
import { setChat } from './set.js'

export const chatOperations = [chatDetails, chatPicture, deleteChat, editLead, labelChat, readChat, setChat] as const
