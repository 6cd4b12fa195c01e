import type { Route } from '../../route.js'
import { receiveChatwoot } from './receive.js'
import { setChatwoot } from './set.js'
import { showChatwoot } from './show.js'

/** Routes of the area, in the order of the documentation. */
export const chatwootRoutes: readonly Route[] = [showChatwoot, setChatwoot, receiveChatwoot]
