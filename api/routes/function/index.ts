import type { Route } from '../../route.js'
import { editFunction } from './edit.js'
import { listFunctions } from './list.js'

/** In the order of the documentation. */
export const functionRoutes: readonly Route[] = [editFunction, listFunctions]
