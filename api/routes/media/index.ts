import type { Route } from '../../route.js'
import { giveFile } from './file.js'

/** Routes of the area, in the order of the documentation. */
export const mediaRoutes: readonly Route[] = [giveFile]
