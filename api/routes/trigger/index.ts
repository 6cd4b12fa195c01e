import type { Route } from '../../route.js'
import { editTrigger } from './edit.js'
import { listTriggers } from './list.js'

/** Routes of the area, in the order of the documentation. */
export const triggerRoutes: readonly Route[] = [editTrigger, listTriggers]
