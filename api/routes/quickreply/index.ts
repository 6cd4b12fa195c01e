import type { Route } from '../../route.js'
import { editQuickReply } from './edit.js'
import { listQuickReplies } from './show-all.js'

/** In the order of the documentation. */
export const quickreplyRoutes: readonly Route[] = [listQuickReplies, editQuickReply]
