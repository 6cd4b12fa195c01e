/** The cluster page of an installation with as many parts as one can have. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startScene } from '../support/backups.js'
import { startBrowser, withoutBrowser } from '../support/browser.js'
import { testFolder } from '../support/embedded.js'
import { eventually } from '../support/eventually.js'
import { openSignedIn } from '../support/sign-in.js'

const LONG_MS = 120_000

it('shows 4,096 parts, and answers a click while it reads them again and again', {
  skip: withoutBrowser,
}, async (t) => {
  const [{ world, ana }, browser] = await Promise.all([
    startScene(t, { embeddedIn: testFolder(t) }, { env: { CLUSTER_SHARDS: '4096', NODE_ID: 'n1' } }),
    startBrowser(t),
  ])
  const { gateway } = world
  await ana.text('15552120009', 'sent by one of 4,096')
  const session = await browser.session(t, gateway.url)
  const { page } = session
  await openSignedIn(session, gateway, '/cluster')
  const parts = page.locator('[data-owner="n1"]')
  await parts.nth(4_095).waitFor({ timeout: LONG_MS })
  assert.equal(await page.locator('[data-shard]').count(), 4_096)
  await page.getByText('4096 of 4096 parts.').waitFor()

  const readings = { count: 0 }
  page.on('response', (response) => {
    if (response.url().endsWith('/admin/shards')) readings.count += 1
  })
  await eventually(
    () => readings.count,
    (count) => count >= 3,
    LONG_MS,
  )
  await page.getByRole('button', { name: 'Drain n1' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('1 instances in 4,096 parts move to 0 other nodes.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await parts.count(), 4_096)
  // The gateway ends before the session does.
  await page.close()
})
