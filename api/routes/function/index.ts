import type { Route } from '../../route.js'
import { editFunction } from './edit.js'
import { listFunctions } from './list.js'
import { testFunction } from './test.js'

/** Routes of the area, in the order of the documentation. */
export const functionRoutes: readonly Route[] = [editFunction, listFunctions, testFunction]
