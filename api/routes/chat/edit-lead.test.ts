import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertRefuses } from '../../../test/support/bad-fields.js'
import { startFakeNode } from '../../../test/support/fake-node.js'

const good = { id: '5511999990002@s.whatsapp.net', lead_name: 'Eve' }

it('an edit of a lead goes to the owner of the instance, with its tags as one text', async (t) => {
  const node = await startFakeNode(t)
  const json = {
    ...good,
    lead_tags: [' vip ', 'new', 'vip'],
    lead_isTicketOpen: true,
    lead_kanbanOrder: -2,
    lead_field20: '',
  }
  assert.equal((await node.call('/chat/editLead', { json })).status, 200)
  const set = {
    lead_name: 'Eve',
    lead_tags: 'vip,new',
    lead_isTicketOpen: true,
    lead_kanbanOrder: -2,
    lead_field20: '',
  }
  assert.deepEqual(node.commands, [{ type: 'editLead', id: good.id, set }])
  const times = { chatbot_disableUntil: 1_735_686_000, chatbot_agentResetMemoryAt: 1_735_686_000_000 }
  await node.call('/chat/editLead', { json: { id: good.id, ...times } })
  const inMs = { chatbot_disableUntil: 1_735_686_000_000, chatbot_agentResetMemoryAt: 1_735_686_000_000 }
  assert.deepEqual(node.commands.pop(), { type: 'editLead', id: good.id, set: inMs })
  await node.call('/chat/editLead', { json: { id: '5511999990001:5511999990002', LEAD_TAGS: [] } })
  assert.deepEqual(node.commands[1], { type: 'editLead', id: '5511999990001:5511999990002', set: { lead_tags: '' } })
})

it('an edit that is none is refused, and nothing is written', async (t) => {
  await assertRefuses(t, '/chat/editLead', good, [
    ['id', undefined, 'Invalid request: id is required.'],
    ['id', true, 'Invalid request: id must be string.'],
    ['id', 'x'.repeat(101), /^Invalid request: id must not/],
    ['id', 'abc', 'Invalid id: it is not a phone number with country code (6 to 15 digits).', 'INVALID_NUMBER'],
    ['id', '1:2', /^Invalid id: it is not/, 'INVALID_NUMBER'],
    ['lead_name', 5, 'Invalid request: lead_name must be string.'],
    ['lead_name', 'x'.repeat(1_001), /^Invalid request: lead_name must not/],
    ['lead_notes', 'x'.repeat(65_537), /^Invalid request: lead_notes must not/],
    ['lead_isTicketOpen', 'yes', 'Invalid request: lead_isTicketOpen must be boolean.'],
    ['lead_kanbanOrder', 1.5, 'Invalid request: lead_kanbanOrder must be integer.'],
    ['lead_tags', 'vip', 'Invalid request: lead_tags must be array.'],
    ['lead_tags', ['a,b'], 'Invalid request: lead_tags[0] has an invalid format.'],
    ['lead_tags', [' '], 'Invalid request: lead_tags[0] has an invalid format.'],
    ['lead_tags', Array(81).fill('a'), /^Invalid request: lead_tags must not/],
    ['lead_field20', 'x'.repeat(10_001), /^Invalid request: lead_field20 must not/],
    ['chatbot_disableUntil', -1, /^Invalid request: chatbot_disableUntil must be >= 0/],
  ])
})
