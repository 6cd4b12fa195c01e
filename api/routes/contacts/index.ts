import type { Route } from '../../route.js'
import { listAllContacts } from './all.js'
import { listLids, showLidOfNumber, showNumberOfLid } from './lids.js'
import { listContacts } from './list.js'

/** Routes of the area, in the order of the documentation. */
export const contactsRoutes: readonly Route[] = [
  listContacts,
  listAllContacts,
  listLids,
  showNumberOfLid,
  showLidOfNumber,
]
