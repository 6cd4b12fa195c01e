import { createCommunity } from './create.js'
import { editCommunity } from './edit.js'

export const communityOperations = [createCommunity, editCommunity] as const
