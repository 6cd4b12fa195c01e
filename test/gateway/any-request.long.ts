import assert from 'node:assert/strict'
import { it } from 'node:test'
import { chooseSeed } from '../durability/random.js'
import { lastFirst } from '../support/cleanup.js'
import { askAnything, startScene, textsComeBack } from './any-request.js'

it('any of 500 requests of each operation is answered as the document says, and becomes no part of a statement', async (t) => {
  const amount = { requests: 500, seed: chooseSeed(t) }
  const scene = await startScene(lastFirst(t))
  assert.deepEqual(await askAnything(scene, amount, []), [])
  await textsComeBack(scene, amount)
  assert.deepEqual([await scene.canary(), scene.badStatements()], [['alive'], []])
})
