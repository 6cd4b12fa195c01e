import type { Route } from '../../route.js'
import { listEvents, streamEvents } from './sse.js'

/** Routes of the area, in the order of the documentation. */
export const streamRoutes: readonly Route[] = [streamEvents, listEvents]
