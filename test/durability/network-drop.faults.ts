import { it } from 'node:test'
import { networkDrop } from './network-drop.js'

it('when the network drops 60 connections at once, they come back at the configured rate, and status is true all along', async (t) => {
  const most = await networkDrop(t, { instances: 60, ratePerSecond: 10, withinMs: 30_000 })
  t.diagnostic(`at most ${most} logins in one second`)
})
