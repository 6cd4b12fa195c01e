import type { Route } from '../../route.js'
import { endPass } from './end.js'
import { endListedPass } from './end-listed.js'
import { listPasses } from './list.js'
import { openPass } from './open.js'
import { openPassCode } from './open-code.js'
import { openInstancePass } from './open-instance.js'
import { openPairingLink } from './open-pairing-link.js'
import { showPass } from './show.js'

/** Routes of the area, in the order of the documentation. */
export const passRoutes: readonly Route[] = [
  openPass,
  openPassCode,
  showPass,
  endPass,
  openInstancePass,
  openPairingLink,
  listPasses,
  endListedPass,
]
