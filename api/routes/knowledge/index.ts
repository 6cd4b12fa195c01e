import type { Route } from '../../route.js'
import { editKnowledge } from './edit.js'
import { listKnowledge } from './list.js'
import { searchKnowledge } from './search.js'

/** Routes of the area, in the order of the documentation. */
export const knowledgeRoutes: readonly Route[] = [editKnowledge, listKnowledge, searchKnowledge]
