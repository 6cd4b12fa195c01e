import type { Route } from '../../route.js'
import { streamEvents } from './sse.js'

/** In the order of the documentation. */
export const streamRoutes: readonly Route[] = [streamEvents]
