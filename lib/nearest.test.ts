import assert from 'node:assert/strict'
import { it } from 'node:test'
import { chatFields } from '../schemas/chat-fields.js'
import { findNearest } from './nearest.js'

it('finds the field that was probably meant, and none for what is far from all', () => {
  const names = Object.keys(chatFields)
  for (const [given, meant] of [
    ['wa_isgrup', 'wa_isGroup'],
    ['isPinned', 'wa_isPinned'],
    ['lead_kanban_order', 'lead_kanbanOrder'],
    ['wa_unreadcount', 'wa_unreadCount'],
    ['leadname', 'lead_name'],
    ['banana', undefined],
    ['x'.repeat(5_000), undefined],
    ['', undefined],
  ] as const)
    assert.equal(findNearest(given, names), meant, given.slice(0, 40))
})
