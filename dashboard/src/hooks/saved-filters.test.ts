import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { forgetFilter, isSameFilter, keepFilter, NAME_MAX, readFilters, SAVED_MAX } from './saved-filters.js'

function makeStore(entries: Readonly<Record<string, string>> = {}) {
  const kept = new Map(Object.entries(entries))
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
}

describe('saved filters', () => {
  it('are kept by page, replaced by their name, and forgotten', () => {
    const store = makeStore()
    keepFilter(store, 'chats', { name: 'Mine', search: { unread: true } })
    keepFilter(store, 'chats', { name: 'Open', search: { ticket: true } })
    keepFilter(store, 'chats', { name: 'Mine', search: { unread: true, label: '3' } })
    assert.deepEqual(readFilters(store, 'chats'), [
      { name: 'Open', search: { ticket: true } },
      { name: 'Mine', search: { unread: true, label: '3' } },
    ])
    assert.deepEqual(readFilters(store, 'instances'), [])
    forgetFilter(store, 'chats', 'Open')
    assert.deepEqual(
      readFilters(store, 'chats').map(({ name }) => name),
      ['Mine'],
    )
  })

  it('are refused above their number, and where the browser keeps nothing', () => {
    const store = makeStore()
    for (let number = 0; number < SAVED_MAX; number += 1)
      assert.ok(keepFilter(store, 'chats', { name: `Filter ${number}`, search: {} }))
    assert.equal(keepFilter(store, 'chats', { name: 'One more', search: {} }), false)
    assert.equal(keepFilter(store, 'chats', { name: 'Filter 3', search: { groups: true } }), true)
    const full = {
      getItem: () => null,
      setItem: () => {
        throw new Error('full')
      },
    }
    assert.equal(keepFilter(full, 'chats', { name: 'Mine', search: {} }), false)
  })

  it('are read without what is not one', () => {
    const stored = [
      null,
      3,
      { name: '', search: {} },
      { name: 'x'.repeat(NAME_MAX + 1), search: {} },
      { name: 'Good', search: {} },
    ]
    for (const [text, names] of [
      [JSON.stringify(stored), ['Good']],
      ['{', []],
      ['{}', []],
      [`[${'1,'.repeat(60_000)}1]`, []],
    ] as const)
      assert.deepEqual(
        readFilters(makeStore({ 'posthorn.filters.chats': text }), 'chats').map(({ name }) => name),
        names,
      )
  })

  it('are the same whatever the order of their parameters', () => {
    assert.ok(isSameFilter({ unread: true, label: '3' }, { label: '3', unread: true, search: undefined }))
    assert.ok(!isSameFilter({ unread: true }, { groups: true }))
  })
})
