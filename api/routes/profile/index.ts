import type { Route } from '../../route.js'
import { setProfileName } from './name.js'

/** In the order of the documentation. */
export const profileRoutes: readonly Route[] = [setProfileName]
