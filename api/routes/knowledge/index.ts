import { readFile } from 'node:fs/promises'
import {
  findKnowledgeType,
  KNOWLEDGE_FILE_MAX_BYTES,
  type KnowledgeFileType,
  knowledgeContent,
  knowledgeFileType,
} from '../../../schemas/agents/knowledge-content.js'
import { GatewayError } from '../../../schemas/errors.js'
import type {
  EditKnowledgeRequest,
  Knowledge,
  KnowledgeListReply,
  SearchKnowledgeReply,
  SearchKnowledgeRequest,
} from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import type { KnowledgeEdit, KnowledgeRow } from '../../../schemas/ports/agents.js'
import type { InstanceRow } from '../../../schemas/ports/instances.js'
import { type ApiCall, Created, instanceRoute, type Route } from '../../route.js'

/** Returns the record of an entry. */
function knowledgeRecord(row: KnowledgeRow, owner: string): Knowledge {
  const { id, active, tittle, content, priority, created, updated } = row
  const { vectorStatus, vectorReason, vectorCode, lastVectorized } = row
  return {
    id,
    active,
    tittle,
    content,
    vectorStatus,
    ...(vectorStatus === 'error' || vectorReason !== '' ? { vectorError: vectorReason, vectorCode } : {}),
    isVectorized: vectorStatus === 'vectorized',
    lastVectorizedAt: lastVectorized?.getTime() ?? 0,
    owner,
    priority,
    created: created.toISOString(),
    updated: updated.toISOString(),
  }
}

type Call = ApiCall<InstanceRow, EditKnowledgeRequest, undefined>

const editKnowledge = instanceRoute<EditKnowledgeRequest>({
  method: 'POST',
  path: '/knowledge/edit',
  name: 'editKnowledge',
  area: 'Agent',
  scope: 'token',
  summary: 'Create, change or delete knowledge of the agent',
  schema: 'knowledge/edit.json',
  idempotent: 'kept',
  fileFields: ['knowledge.content?'],
  creates: true,
  errors: ['KNOWLEDGE_NOT_FOUND', 'RECORD_LIMIT', 'INSTANCE_NOT_FOUND', 'MEDIA_TOO_LARGE', 'MEDIA_STORAGE_UNAVAILABLE'],
  async handle(call, { ports }) {
    const { instance, body } = call
    const { id = '', delete: isDeleted = false } = body
    const former = id === '' ? null : await ports.knowledge.find(instance.id, id)
    if (former === null && id !== '') throw new GatewayError('KNOWLEDGE_NOT_FOUND')
    if (isDeleted) {
      if (former === null) throw invalidField('id', 'is required')
      await ports.knowledge.delete(instance.id, id)
      return knowledgeRecord({ ...former, active: false }, instance.owner)
    }
    const row = await ports.knowledge.save(instance.id, former?.id ?? null, await readEdit(call, former))
    const record = knowledgeRecord(row, instance.owner)
    return former === null ? new Created(record) : record
  },
})

/** @throws GatewayError INVALID_REQUEST, MEDIA_TOO_LARGE */
async function readEdit(call: Call, former: KnowledgeRow | null): Promise<KnowledgeEdit> {
  const { knowledge: given = {}, fileType } = call.body
  const tittle = given.tittle ?? former?.tittle
  if (tittle === undefined) throw invalidField('knowledge.tittle', 'is required')
  if (given.content === undefined && former === null) throw invalidField('knowledge.content', 'is required')
  const content =
    given.content === undefined ? keptContent(former, fileType) : await readContent(call, given.content, former)
  const isOtherTitle = tittle !== former?.tittle
  return {
    tittle,
    active: given.active ?? given.isActive ?? former?.active ?? true,
    priority: given.priority ?? former?.priority ?? 0,
    ...content,
    isReread: content.isReread || isOtherTitle,
  }
}

type Content = Pick<KnowledgeEdit, 'content' | 'fileType' | 'source' | 'isReread' | 'isOther'>

function keptContent(former: KnowledgeRow | null, fileType: KnowledgeFileType | undefined): Content {
  const { content = '', fileType: formerType = '' } = former ?? {}
  const isOther = fileType !== undefined && fileType !== formerType
  if (isOther && content !== '') knowledgeContent(content, fileType)
  return { content, fileType: fileType ?? formerType, source: null, isReread: isOther, isOther }
}

async function readContent({ body, files }: Call, given: string, former: KnowledgeRow | null): Promise<Content> {
  const { fileType = '' } = body
  const file = files.get(given)
  if (file !== undefined) {
    if (file.sizeBytes > KNOWLEDGE_FILE_MAX_BYTES) throw tooLarge()
    const source = await readFile(file.path)
    const type = knowledgeFileType(source, fileType || findKnowledgeType(file.mimetype))
    return { content: '', fileType: type, source, isReread: true, isOther: true }
  }
  const content = knowledgeContent(given, fileType)
  if (content.kind === 'file') {
    if (content.bytes.length > KNOWLEDGE_FILE_MAX_BYTES) throw tooLarge()
    return { content: '', fileType: content.type, source: content.bytes, isReread: true, isOther: true }
  }
  const isSame = former?.content === given && former.fileType === fileType
  // A page is fetched again, and its former text stays until then.
  if (content.kind === 'url') return { content: content.url, fileType, source: null, isReread: true, isOther: !isSame }
  const isReread = !isSame || former?.vectorStatus === 'error'
  return { content: given, fileType, source: null, isReread, isOther: !isSame }
}

function tooLarge(): GatewayError {
  return new GatewayError('MEDIA_TOO_LARGE', {
    details: [{ field: 'knowledge.content', why: 'is larger than allowed' }],
    fields: { limit_bytes: KNOWLEDGE_FILE_MAX_BYTES },
  })
}

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
