import type { Route } from '../../route.js'
import { setProfileName } from './name.js'

/** Routes of the area, in the order of the documentation. */
export const profileRoutes: readonly Route[] = [setProfileName]
