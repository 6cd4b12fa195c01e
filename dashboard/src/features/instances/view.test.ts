import assert from 'node:assert/strict'
import { it } from 'node:test'
import { makeInstanceFilter, readColumns, readInstancesSearch } from './view.js'

it('reads a view from an address, and leaves out what it does not understand', () => {
  const given = {
    search: 5511,
    status: 'connected',
    cause: 'odd',
    sort: '+name',
    missing: 'yes',
    columns: 'tags,x,node',
  }
  const view = readInstancesSearch(given)
  assert.deepEqual(view, { search: '5511', status: 'connected', sort: '+name', columns: 'tags,x,node' })
  assert.deepEqual(readColumns(view), ['node', 'tags'])
  assert.deepEqual(makeInstanceFilter(view), { search: '5511', status: ['connected'] })
})

it('asks for instances that are not connected although they should be', () => {
  assert.deepEqual(makeInstanceFilter({ missing: true, tag: 'shop' }), {
    wanted: true,
    status: ['connecting', 'disconnected'],
    tags: ['shop'],
  })
})
