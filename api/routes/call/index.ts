import type { Route } from '../../route.js'
import { createCallLink, makeCall } from './make.js'
import { rejectCall } from './reject.js'

/** Routes of the area, in the order of the documentation. */
export const callRoutes: readonly Route[] = [makeCall, createCallLink, rejectCall]
