import { GatewayError } from '../../../schemas/errors.js'
import type { EditKnowledgeRequest, Knowledge } from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { instanceRoute } from '../../route.js'
import { knowledgeRecord } from './record.js'

export const editKnowledge = instanceRoute<EditKnowledgeRequest>({
  method: 'POST',
  path: '/knowledge/edit',
  name: 'editKnowledge',
  area: 'Agent',
  scope: 'token',
  summary: 'Create, change or delete knowledge of the agent',
  schema: 'knowledge/edit.json',
  errors: ['KNOWLEDGE_NOT_FOUND', 'RECORD_LIMIT', 'INSTANCE_NOT_FOUND'],
  async handle({ instance, body }, { ports }): Promise<Knowledge> {
    const { id = '', delete: isDeleted = false, knowledge: given = {}, fileType = '' } = body
    const former = id === '' ? null : await ports.agentRecords.findKnowledge(instance.id, id)
    if (former === null && id !== '') throw new GatewayError('KNOWLEDGE_NOT_FOUND')
    if (isDeleted) {
      if (former === null) throw invalidField('id', 'is required')
      await ports.agentRecords.deleteKnowledge(instance.id, id)
      return knowledgeRecord({ ...former, active: false }, instance.owner)
    }
    const { tittle = former?.tittle, content = former?.content } = given
    if (tittle === undefined) throw invalidField('knowledge.tittle', 'is required')
    if (content === undefined) throw invalidField('knowledge.content', 'is required')
    const row = await ports.agentRecords.saveKnowledge(instance.id, former?.id ?? null, {
      tittle,
      content,
      fileType,
      active: given.active ?? given.isActive ?? former?.active ?? true,
      priority: given.priority ?? former?.priority ?? 0,
    })
    return knowledgeRecord(row, instance.owner)
  },
})
