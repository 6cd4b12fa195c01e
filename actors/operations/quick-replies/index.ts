import { editQuickReply } from './edit.js'

export const quickReplyOperations = [editQuickReply] as const
