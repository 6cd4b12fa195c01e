import { block } from './block.js'
import { blocklist } from './blocklist.js'
import { checkNumbers } from './check.js'
import { findUsername } from './find-username.js'
import { contactPresence } from './presence.js'
import { saveContact } from './save.js'

export const contactOperations = [block, blocklist, checkNumbers, contactPresence, findUsername, saveContact] as const
