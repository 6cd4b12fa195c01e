import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Chat } from '../../../../schemas/generated.js'
import { chooseOrders, findBeside, findCardPlace, makeColumns, moveCard } from './board.js'

const makeLead = (wa_chatid: string, lead_status: string, lead_kanbanOrder: number) =>
  ({ wa_chatid, lead_status, lead_kanbanOrder }) as Chat
const columns = makeColumns([
  makeLead('b', 'new', 2000),
  makeLead('a', 'new', 1000),
  makeLead('c', 'won', 0),
  makeLead('d', '', 0),
])

describe('the board of leads', () => {
  it('has a column for each status, in the order of its cards', () => {
    assert.deepEqual(
      columns.map(({ status, leads }) => [status, leads.map(({ wa_chatid }) => wa_chatid)]),
      [
        ['', ['d']],
        ['new', ['a', 'b']],
        ['won', ['c']],
      ],
    )
    assert.deepEqual(findCardPlace(columns, 'b'), { status: 'new', index: 1 })
  })

  it('numbers one card if there is room, else the side with fewer cards', () => {
    assert.deepEqual([...chooseOrders(columns, 'd', { status: 'new', index: 1 })], [['d', 1500]])
    assert.deepEqual([...chooseOrders(columns, 'd', { status: 'new', index: 2 })], [['d', 3000]])
    assert.deepEqual([...chooseOrders(columns, 'd', { status: 'new', index: 0 })], [['d', 0]])
    const full = makeColumns(['a', 'b', 'c', 'd', 'e'].map((id) => makeLead(id, 'x', 0)).concat(makeLead('f', '', 0)))
    assert.deepEqual(
      [...chooseOrders(full, 'f', { status: 'x', index: 1 })],
      [
        ['a', -2000],
        ['f', -1000],
      ],
    )
    assert.deepEqual(
      [...chooseOrders(full, 'f', { status: 'x', index: 4 })],
      [
        ['f', 1000],
        ['e', 2000],
      ],
    )
  })

  it('moves a card by keys to the places beside it, and stays within its edges', () => {
    assert.deepEqual(findBeside(columns, { status: 'new', index: 0 }, 'ArrowUp', 'a'), { status: 'new', index: 0 })
    assert.deepEqual(findBeside(columns, { status: 'new', index: 0 }, 'ArrowDown', 'a'), { status: 'new', index: 1 })
    assert.deepEqual(findBeside(columns, { status: 'new', index: 1 }, 'ArrowDown', 'a'), { status: 'new', index: 1 })
    assert.deepEqual(findBeside(columns, { status: 'new', index: 1 }, 'ArrowRight', 'a'), { status: 'won', index: 1 })
    assert.deepEqual(findBeside(columns, { status: 'won', index: 0 }, 'ArrowRight', 'c'), { status: 'won', index: 0 })
    const after = moveCard(columns, 'a', { status: 'won', index: 1 })
    assert.deepEqual(findCardPlace(after, 'a'), { status: 'won', index: 1 })
  })
})
