import type { Route } from '../../route.js'
import { rejectCall } from './reject.js'

/** In the order of the documentation. */
export const callRoutes: readonly Route[] = [rejectCall]
