import type { Route } from '../../route.js'
import { editKnowledge } from './edit.js'
import { listKnowledge } from './list.js'

/** In the order of the documentation. */
export const knowledgeRoutes: readonly Route[] = [editKnowledge, listKnowledge]
