import type { Route } from '../../route.js'
import { giveFile } from './file.js'

/** In the order of the documentation. */
export const mediaRoutes: readonly Route[] = [giveFile]
