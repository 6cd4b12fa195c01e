import type { Route } from '../../route.js'
import { editLabel } from './edit.js'
import { listLabels } from './list.js'
import { refreshLabels } from './refresh.js'

/** Routes of the area, in the order of the documentation. */
export const labelRoutes: readonly Route[] = [editLabel, listLabels, refreshLabels]
