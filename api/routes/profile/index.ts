import type { Route } from '../../route.js'
import { setProfileImage } from './image.js'
import { setProfileName } from './name.js'
import { setProfileStatus } from './status.js'

/** Routes of the area, in the order of the documentation. */
export const profileRoutes: readonly Route[] = [setProfileName, setProfileStatus, setProfileImage]
