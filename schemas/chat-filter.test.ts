import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chatFields } from './chat-fields.js'
import { parseChatFilter, parseChatSort } from './chat-filter.js'
import { GatewayError } from './errors.js'
import { loadSchemas } from './schema-registry.js'

interface Schema {
  readonly properties?: object
  readonly $defs?: Readonly<Record<string, Schema>>
}

describe('the filter of a search over chats', () => {
  it('is known for every field of the chat record, and for no other', () => {
    const { files } = loadSchemas()
    const properties = (file: string, part?: string) => {
      const schema = files.find((one) => one.file === file)?.schema as Schema | undefined
      return Object.keys((part === undefined ? schema : schema?.$defs?.[part])?.properties ?? {})
    }
    const notStored = ['common_groups']
    const fields = properties('records/chat.json').filter((field) => !notStored.includes(field))
    assert.deepEqual(Object.keys(chatFields).toSorted(), fields.toSorted())
    const others = ['operator', 'sort', 'limit', 'offset', 'page', 'pageSize', 'newest']
    assert.deepEqual(properties('chat/find.json', 'request').toSorted(), [...fields, ...others].toSorted())
  })

  it('begins with an operator, the longer ones before the shorter', () => {
    for (const [given, operator, value] of [
      ['ana', 'contains', 'ana'],
      ['~ana', 'contains', 'ana'],
      ['!~ana', 'notContains', 'ana'],
      ['!=ana', 'different', 'ana'],
      ['>=ana', '>=', 'ana'],
      ['>ana', '>', 'ana'],
      ['<=ana', '<=', 'ana'],
      ['<ana', '<', 'ana'],
      ['>', '>', ''],
      ['=ana', 'contains', '=ana'],
      ['! ana', 'contains', '! ana'],
      ['~>ana', 'contains', '>ana'],
      ['', 'contains', ''],
    ])
      assert.deepEqual(parseChatFilter('name', given), { type: 'text', field: 'name', operator, value })
    assert.deepEqual(parseChatFilter('phone', 5511), {
      type: 'text',
      field: 'phone',
      operator: 'contains',
      value: '5511',
      digits: ['5511'],
    })
  })

  it('is read by the type of its field', () => {
    const brief = (field: string, given: unknown) => {
      const { operator, value } = parseChatFilter(field, given)
      return [operator, value]
    }
    assert.deepEqual(brief('wa_unreadCount', 5), ['contains', '5'])
    assert.deepEqual(brief('wa_unreadCount', '5'), ['contains', '5'])
    assert.deepEqual(brief('wa_unreadCount', '= 5'), ['equal', '5'])
    assert.deepEqual(brief('wa_unreadCount', '>= -1'), ['>=', '-1'])
    assert.deepEqual(brief('wa_unreadCount', '~12'), ['contains', '12'])
    assert.deepEqual(brief('lead_kanbanOrder', '<1.5'), ['<', '1.5'])
    assert.deepEqual(brief('wa_archived', true), ['equal', true])
    assert.deepEqual(brief('wa_archived', '!=TRUE'), ['different', true])
    assert.deepEqual(brief('wa_archived', '~0'), ['equal', false])
    assert.deepEqual(brief('wa_archived', '!~1'), ['different', true])
    assert.deepEqual(brief('wa_label', '3'), ['contains', ['3']])
    assert.deepEqual(brief('wa_label', 3), ['contains', ['3']])
    assert.deepEqual(brief('wa_label', ['3', '4']), ['contains', ['3', '4']])
    assert.deepEqual(brief('wa_label', '!=["3",4]'), ['different', ['3', '4']])
    assert.deepEqual(brief('wa_label', '[]'), ['contains', []])
    assert.deepEqual(brief('created', '>2026'), ['>', '2026-01-01T00:00:00.000Z'])
    assert.deepEqual(brief('created', '<=2026-02-03'), ['<=', '2026-02-03T00:00:00.000Z'])
    assert.deepEqual(brief('updated', '>=2026-02-03 04:05:06.7'), ['>=', '2026-02-03T04:05:06.700Z'])
    assert.deepEqual(brief('updated', '2026-02'), ['contains', '2026-02'])
  })

  it('is refused with the field and the reason if it is invalid', () => {
    for (const [field, given] of [
      ['wa_unreadCount', 'many'],
      ['wa_unreadCount', '>'],
      ['wa_unreadCount', '='],
      ['wa_unreadCount', '>=='],
      ['wa_unreadCount', '==5'],
      ['wa_unreadCount', '1; DROP TABLE chat'],
      ['wa_unreadCount', '1e5'],
      ['wa_archived', 'perhaps'],
      ['wa_archived', ''],
      ['wa_label', '>3'],
      ['wa_label', '[3'],
      ['wa_label', '[{}]'],
      ['name', ['a']],
      ['created', '>yesterday'],
      ['created', '>=2026-02-31'],
      ['created', '>2026-13'],
      ['password', 'x'],
      ['toString', 'x'],
    ] as const)
      assert.throws(
        () => parseChatFilter(field, given),
        (error) =>
          error instanceof GatewayError &&
          error.code === 'INVALID_REQUEST' &&
          error.message.startsWith(`Invalid request: ${field} `),
        `${field} ${String(given)}`,
      )
  })
})

describe('the order of a search over chats', () => {
  it('is a field with or without a sign, in any case of its letters', () => {
    assert.deepEqual(parseChatSort('+name'), { field: 'name', isDescending: false })
    assert.deepEqual(parseChatSort('-wa_lastmsgtimestamp'), { field: 'wa_lastMsgTimestamp', isDescending: true })
    assert.deepEqual(parseChatSort('lead_kanbanOrder'), { field: 'lead_kanbanOrder', isDescending: false })
    for (const given of ['', '+', '-nothing', '+name, created', 'name; --', '--name', 'constructor'])
      assert.throws(() => parseChatSort(given), /Invalid request: sort /)
  })
})
