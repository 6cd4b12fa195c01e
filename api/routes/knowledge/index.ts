import type { KnowledgeListReply, SearchKnowledgeReply, SearchKnowledgeRequest } from '../../../schemas/generated.js'
import { instanceRoute, type Route } from '../../route.js'
import { editKnowledge } from './edit.js'
import { knowledgeRecord } from './record.js'

/** Far more tokens than so many chunks have. */
const TOKENS_MAX = 100_000

const searchKnowledge = instanceRoute<SearchKnowledgeRequest>({
  method: 'POST',
  path: '/knowledge/search',
  isSearch: true,
  name: 'searchKnowledge',
  area: 'Agent',
  scope: 'read',
  summary: 'Search the knowledge of the agent, as an agent does',
  schema: 'knowledge/search.json',
  errors: [],
  async handle({ instance, body, warnings }, { ports }): Promise<SearchKnowledgeReply> {
    const { query, limit = 6, entries } = body
    const { chunks, isByMeaning, warning } = await ports.agentKnowledge.search(instance.id, query, {
      entries: entries ?? null,
      chunksMax: limit,
      tokensMax: TOKENS_MAX,
    })
    if (warning !== undefined) warnings.push(warning)
    return {
      byMeaning: isByMeaning,
      chunks: chunks.map(({ entry, title, position, text, score }) => ({
        id: entry,
        tittle: title,
        position,
        text,
        score,
      })),
    }
  },
})

const listKnowledge = instanceRoute({
  method: 'GET',
  path: '/knowledge/list',
  isSearch: true,
  name: 'listKnowledge',
  area: 'Agent',
  scope: 'read',
  summary: 'List the knowledge of the agent',
  schema: 'knowledge/list.json',
  errors: [],
  async handle({ instance }, { ports }): Promise<KnowledgeListReply> {
    return (await ports.knowledge.list(instance.id)).map((row) => knowledgeRecord(row, instance.owner))
  },
})

/** Routes of the area, in the order of the documentation. */
export const knowledgeRoutes: readonly Route[] = [editKnowledge, listKnowledge, searchKnowledge]
