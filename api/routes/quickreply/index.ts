import type { Route } from '../../route.js'
import { editQuickReply } from './edit.js'
import { listQuickReplies } from './show-all.js'

/** Routes of the area, in the order of the documentation. */
export const quickreplyRoutes: readonly Route[] = [listQuickReplies, editQuickReply]
