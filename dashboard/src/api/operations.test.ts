import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openApiDocument } from '../../../api/openapi.js'
import { routes } from '../../../api/routes.js'
import { loadSchemas } from '../../../schemas/schema-registry.js'
import { listOperations } from './operations.js'

describe('the operations of the document', () => {
  const operations = listOperations(JSON.parse(JSON.stringify(openApiDocument(routes, loadSchemas()))))
  const named = (name: string) => {
    const found = operations.find((one) => one.name === name)
    assert.ok(found, name)
    return found
  }

  it('are all that take a token, but for streams', () => {
    const expected = routes.filter(
      ({ hidden, auth, name }) => hidden !== true && auth !== 'none' && name !== 'streamEvents',
    )
    assert.deepEqual(operations.map(({ name }) => name).toSorted(), expected.map(({ name }) => name).toSorted())
  })

  it('have fields with their types, the required ones first', () => {
    const { fields, header, area } = named('sendText')
    assert.deepEqual([header, area], ['token', 'Send'])
    assert.deepEqual(
      fields.slice(0, 2).map(({ name, isRequired, type, place }) => [name, isRequired, type, place]),
      [
        ['number', true, 'text', 'body'],
        ['text', true, 'text', 'body'],
      ],
    )
    assert.equal(fields.find(({ name }) => name === 'linkPreview')?.type, 'boolean')
    const presence = named('setPresence').fields.find(({ name }) => name === 'presence')
    assert.deepEqual([presence?.type, presence?.choices.length], ['choice', 2])
    assert.deepEqual(
      named('showDelivery').fields.map(({ name, place, isRequired }) => [name, place, isRequired]),
      [['id', 'path', true]],
    )
    const limit = named('listRequests').fields.find(({ name }) => name === 'limit')
    assert.deepEqual([limit?.type, limit?.place, limit?.maximum], ['number', 'query', 500])
  })
})
