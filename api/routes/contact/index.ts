import type { Route } from '../../route.js'
import { addContact } from './add.js'
import { contactPresence } from './presence.js'
import { removeContact } from './remove.js'

/** Routes of the area, in the order of the documentation. */
export const contactRoutes: readonly Route[] = [addContact, removeContact, contactPresence]
