import type { Route } from '../../route.js'
import { rejectCall } from './reject.js'

/** Routes of the area, in the order of the documentation. */
export const callRoutes: readonly Route[] = [rejectCall]
