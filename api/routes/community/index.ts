import type { Route } from '../../route.js'
import { createCommunity } from './create.js'
import { editCommunityGroups } from './edit-groups.js'

/** Routes of the area, in the order of the documentation. */
export const communityRoutes: readonly Route[] = [createCommunity, editCommunityGroups]
