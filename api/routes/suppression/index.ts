import type { Route } from '../../route.js'
import { addSuppressions } from './add.js'
import { checkSuppressions } from './check.js'
import { listSuppressions } from './list.js'
import { removeSuppressions } from './remove.js'
import { setOptOutWords } from './set-words.js'
import { showOptOutWords } from './show-words.js'

/** Routes of the area, in the order of the documentation. */
export const suppressionRoutes: readonly Route[] = [
  listSuppressions,
  addSuppressions,
  removeSuppressions,
  checkSuppressions,
  showOptOutWords,
  setOptOutWords,
]
