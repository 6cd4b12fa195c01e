import assert from 'node:assert/strict'
import { it } from 'node:test'
import { settings } from '../runtime/config/schema.js'
import { configurationPage } from './configuration-page.js'

it('the page of the configuration has every setting once, with its default, under a title', () => {
  const page = configurationPage()
  for (const [name, setting] of settings) {
    const rows = page.split('\n').filter((line) => line.startsWith(`| \`${name}\` |`))
    assert.equal(rows.length, 1, name)
    if (setting.default !== undefined) assert.ok(rows[0]?.includes(String(setting.default)), name)
  }
  assert.match(page, /^## The WhatsApp network$/m)
})
