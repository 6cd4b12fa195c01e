import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createOwnerSlots } from './owner-slots.js'

it('work of one owner waits in turn, is refused beyond that, and keeps no other owner waiting', async () => {
  const turns = createOwnerSlots({ max: 2, waitingMax: 1 }, () => new Error('full'))
  const open: (() => void)[] = []
  const work = () => new Promise<void>((done) => open.push(done))
  const mine = [turns.run('one', work), turns.run('one', work), turns.run('one', work)]
  await assert.rejects(turns.run('one', work), /full/)
  assert.equal(await turns.run('other', async () => 'done'), 'done')
  assert.equal(open.length, 2)
  open[0]?.()
  await mine[0]
  await new Promise(setImmediate)
  assert.equal(open.length, 3)
  for (const end of open) end()
  await Promise.all(mine)
  await assert.rejects(
    turns.run('one', async () => {
      throw new Error('fails')
    }),
    /fails/,
  )
  assert.equal(await turns.run('one', async () => 'again'), 'again')
})

it('a turn that is given back twice is given back once', async () => {
  const turns = createOwnerSlots({ max: 1, waitingMax: 1 }, () => new Error('full'))
  const end = await turns.take('one')
  const next = turns.take('one')
  end()
  end()
  await next
  let isTaken = false
  void turns.take('one').then(() => {
    isTaken = true
  })
  await new Promise(setImmediate)
  assert.equal(isTaken, false)
})
